// Compiled, not run: each line below a mark must not compile, or the mark itself is an error.
import { ask, definePlugin, deny, respond } from "mortise/sdk";
import * as z from "zod/mini";

definePlugin({ name: "wrong" }, (api) => {
  // @ts-expect-error a misspelt slot
  api.setSlot("tool.bash.inptu", () => undefined);
  // @ts-expect-error a misspelt slot
  api.setSlot("agent.stpo", () => undefined);
  // @ts-expect-error a slot that nobody declared
  api.setSlot("shout.render", () => undefined);
  // @ts-expect-error a misspelt event
  api.createAutocmd("ToolDnoe", () => {});
  // @ts-expect-error a misspelt event among others
  api.createAutocmd(["ToolDone", "TurnSatrt"], () => {});
  // @ts-expect-error an event of a plugin without its name
  void api.execAutocmds("done");

  // @ts-expect-error a capability that the definition does not ask for
  void api.fs.read("a");
  // @ts-expect-error the same
  void api.run.exec({ argv: ["a"] });
  // @ts-expect-error the same
  void api.net.fetch("https://example.com");
  // @ts-expect-error the same
  void api.env.get("A");

  // @ts-expect-error a number is no input
  api.setSlot("tool.bash.input", () => 1);
  // @ts-expect-error an input of another tool
  api.setSlot("tool.bash.input", () => ({ path: "a" }));
  // @ts-expect-error null is no answer
  api.setSlot("tool.bash.input", () => null);
  // @ts-expect-error a field of the wrong type
  api.setSlot("tool.bash.input", (prev, input) => prev({ ...input, command: 1 }));
  // @ts-expect-error a decision there is not
  api.setSlot("permission.prompt", () => ({ decision: "maybe" }));
  // @ts-expect-error ask is for inputs
  api.setSlot("tool.bash.output", () => ask("really?"));
  // @ts-expect-error ask is for inputs
  api.setSlot("permission.prompt", () => ask("really?"));
  // @ts-expect-error respond is for inputs
  api.setSlot("tool.*.output", () => respond("done"));
  // @ts-expect-error a turn that ends cannot be denied
  api.setSlot("agent.stop", () => deny("no"));
  // @ts-expect-error a failure policy there is not
  api.setSlot("tool.bash.input", () => undefined, { onFailure: "allow" });

  // @ts-expect-error judges stand on inputs
  api.judge("tool.bash.output", () => deny("no"));
  // @ts-expect-error a judge changes nothing
  api.judge("tool.bash.input", (input) => input);
  // @ts-expect-error a judge does not respond
  api.judge("tool.bash.input", () => respond("done"));
  api.judge("tool.bash.input", (input) => {
    // @ts-expect-error the input of a judge is not written to
    input.command = "true";
  });
  // @ts-expect-error redactors stand on outputs
  api.redact((text) => text, { slot: "tool.bash.input" });
  // @ts-expect-error a redactor gives text
  api.redact(() => undefined);

  // @ts-expect-error a tool says what it would do, or "none"
  api.registerTool({ name: "a", description: "A.", input: z.object({}), run: () => "" });
  // @ts-expect-error the field is not in the schema
  api.registerTool({ name: "a", description: "A.", input: z.object({ a: z.string() }), scopes: "none", run: ({ b }) => b });
  // @ts-expect-error a path that no field holds
  api.registerTool({ name: "a", description: "A.", input: z.object({ a: z.string() }), scopes: { path: "b", access: "read" }, run: () => "" });
  // @ts-expect-error a capability there is not
  api.registerTool({ name: "a", description: "A.", input: z.object({}), capability: "gpu", scopes: "none", run: () => "" });
  // @ts-expect-error an effect there is not
  api.registerPermissionRule({ tool: "bash", effect: "maybe" });
});

definePlugin({ name: "reader", capabilities: { fs_read: true } }, (api) => {
  void api.fs.read("a");
  // @ts-expect-error reading is not writing
  void api.fs.write("a", "b");
});

// @ts-expect-error a capability there is not
definePlugin({ name: "wrong", capabilities: { gpu: true } }, () => {});
// @ts-expect-error a slot there is not
definePlugin({ name: "wrong", steer: ["tool.bash.inptu"] }, () => {});
// @ts-expect-error a name is needed
definePlugin({}, () => {});

// @ts-expect-error there is no Node here
process.exit();
// @ts-expect-error there is no Node here
import("node:fs");
// @ts-expect-error there is no network but `api.net`
fetch("https://example.com");

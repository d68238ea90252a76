// Compiled, not run: what a plugin may write.
import { ask, definePlugin, deny, respond } from "mortise/sdk";
import * as z from "zod/mini";

declare module "mortise/sdk" {
  interface ToolInputs {
    deploy: { target: string; dry?: boolean };
  }
  interface DeclaredSlots {
    "everything.render": { lines: string[] };
  }
}

export default definePlugin(
  {
    name: "everything",
    version: "1.0.0",
    capabilities: { fs_read: ["src/**"], run: true, net: ["api.example.com"], env: ["TOKEN"], fs_write: ["out/**"] },
    steer: ["tool.*.output", "tool.bash.input", "permission.prompt"],
    isolation: "process",
    memoryMb: 128,
    options: { limit: 10, mode: "strict", on: true },
  },
  (api) => {
    api.setSlot("tool.bash.input", async (prev, input, ctx) => {
      if (input.command === "") return deny("empty");
      if (ctx.origin === "nested") return ask("really?", { input: { ...input, timeout: 1 } });
      if (input.command === "true") return respond("");
      const below = await prev({ ...input, command: input.command.trim() });
      return { ...below, command: below.command };
    });
    api.setSlot("tool.deploy.input", (prev, input) => (input.dry === true ? prev() : prev({ ...input, dry: true })));
    api.setSlot("tool.other.input", (_prev, input) => ({ ...input, extra: [1, null, "x"] }));
    api.setSlot("tool.*.output", async (prev, output) => {
      const { text } = await prev(output);
      return { text: text.trim(), isError: output.isError, data: { was: text.length } };
    });
    api.setSlot("tool.bash.output", () => undefined, { onFailure: "block", before: "other", after: ["a", "b"], data: true });
    api.setSlot("permission.prompt", (prev, { scopes }) => (scopes.every(({ kind }) => kind === "path") ? { decision: "allow" } : prev()));
    api.setSlot("permission.prompt", async (prev, { scopes, forcePrompt }) => {
      const reviewer = await api.agent.session({ instructions: "Answer ALLOW or ASK.", tier: "weak", limits: { maxTurns: 1 } });
      const { ended, text } = await reviewer.prompt(scopes.map((scope) => scope.text).join("\n"));
      return !forcePrompt && ended === "done" && text === "ALLOW" ? { decision: "allow" } : prev();
    });
    api.setSlot("completion.sources", (prev, sources) =>
      prev([
        ...sources.filter(({ plugin }) => plugin !== "host"),
        {
          trigger: "#",
          name: "everything.issues",
          complete: async (query, { cwd, cancelled }) => (cancelled() ? undefined : [{ text: `#${query}`, label: cwd, score: 1 }]),
        },
      ]),
    );
    api.setSlot("agent.stop", (_prev, { reason }) => (reason === "max_tokens" ? { continue: "Go on." } : undefined));
    api.setSlot("everything.render", async (prev, { lines }) => ({ lines: [...lines, ...(await prev({ lines })).lines] }));

    api.judge("tool.bash.input", ({ command }) => (command.includes("rm") ? deny("no") : undefined));
    api.judge("tool.*.input", async (input) => ("secret" in input ? ask("a secret?") : undefined));
    api.redact((text) => text.replace(/x/g, "y"), { overlap: 64, slot: "tool.bash.output" });

    const render = api.declareSlot("everything.render", (value) => value, { capability: ["run"] });
    render({ lines: ["a"] }).then(({ lines }) => lines.length);

    api.createAutocmd("ToolDone", ({ data }) => api.log.info(data.tool, data.bytes.toFixed()), { pattern: "bash", once: true, group: "g" });
    api.createAutocmd(["TurnStart", "TurnEnd"], ({ data }) => api.log.debug(data.sessionId));
    api.createAutocmd("other:done", ({ data }) => api.log.debug(data));
    void api.execAutocmds("everything:done", { data: { at: 1 } });

    api.registerTool({
      name: "deploy",
      description: "Deploys.",
      input: z.object({ target: z.string(), dry: z.optional(z.boolean()) }),
      capability: "run",
      audiences: ["main"],
      scopes: ({ target }) => ({ scopes: [{ kind: "command", text: `deploy ${target}` }] }),
      run: async ({ target, dry }, call) => {
        call.write(target);
        const { text, exitCode } = await api.run.exec({ argv: ["deploy", target, String(dry ?? false)] });
        return { text, isError: exitCode !== 0, data: { exitCode } };
      },
    });
    api.registerTool({ name: "plain", description: "Plain.", input: { type: "object" }, scopes: "none", run: () => "done" });
    api.registerTool({
      name: "one",
      description: "One file.",
      input: z.object({ file: z.optional(z.string()) }),
      scopes: { path: "file", access: "read", otherwise: "." },
      run: () => "done",
    });
    api.registerPermissionRule({ tool: "deploy", pattern: "deploy staging", effect: "allow" });
    api.registerCommand({ name: "hi", description: "Says hi.", run: (args) => `hi ${args}` });

    void api.fs.read("src/a.ts").then((text) => api.fs.write("out/a", text));
    void api.net.fetch("https://api.example.com").then(({ status }) => api.store.set("status", status));
    void api.env.get("TOKEN").then((token) => token?.length);
    setTimeout(() => console.log(new URL("https://example.com").host), 1);
  },
);

// Teaches: `respond`. The call is answered as a success and the tool does not run; output layers and redactors still apply.
import { definePlugin, respond } from "mortise/sdk";

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEEP = 200;
/** What answers the same as long as the program is the same. */
const STABLE = /^[\w./-]+ (--help|--version)$/;

type Call = { command: string; workdir?: unknown; tail?: unknown };

export default definePlugin(
  { name: "cache", description: "Answers repeated --help and --version", steer: ["tool.bash.input", "tool.bash.output"] },
  (api) => {
    api.setSlot("tool.bash.input", async (prev, input) => {
      if (!STABLE.test(input.command)) return prev();
      const known = await api.store.get(keyOf(input));
      if (typeof known !== "object" || known === null || Array.isArray(known)) return prev();
      const { text, at } = known;
      return typeof text === "string" && typeof at === "number" && Date.now() - at < DAY_MS ? respond(text) : prev();
    });

    // What arrives is kept, not what the layers below make of it: they see it again when it is answered from here.
    api.setSlot("tool.bash.output", async (prev, output, ctx) => {
      const command = ctx.input?.command;
      if (typeof command === "string" && STABLE.test(command) && !output.isError) {
        const key = keyOf({ ...ctx.input, command });
        const keys = await api.store.keys();
        if (keys.includes(key) || keys.length < KEEP) await api.store.set(key, { text: output.text, at: Date.now() });
      }
      return prev();
    });
  },
);

function keyOf({ command, workdir, tail }: Call): string {
  return JSON.stringify([command, workdir, tail]);
}

// Teaches: `respond`. The call is answered as a success and the tool does not run; output layers and redactors still apply.
import { definePlugin, respond } from "mortise/sdk";

const KEEP = 100;
/** What answers the same as long as the program is the same. */
const STABLE = /^[\w./-]+ (--help|--version)$/;

export default definePlugin(
  { name: "cache", description: "Answers repeated --help and --version", steer: ["tool.bash.input", "tool.bash.output"] },
  (api) => {
    const answers = new Map<string, string>();

    api.setSlot("tool.bash.input", (prev, input) => {
      const known = answers.get(keyOf(input));
      return known === undefined ? prev() : respond(known);
    });

    // What arrives is kept, not what the layers below make of it: they see it again when it is answered from here.
    api.setSlot("tool.bash.output", (prev, output, ctx) => {
      const command = ctx.input?.["command"];
      if (typeof command === "string" && STABLE.test(command) && !output.isError) {
        answers.set(keyOf({ ...ctx.input, command }), output.text);
        for (const oldest of answers.keys()) if (answers.size > KEEP) answers.delete(oldest);
      }
      return prev();
    });
  },
);

function keyOf(input: { command: string; workdir?: unknown; tail?: unknown }): string {
  return JSON.stringify([input.command, input.workdir, input.tail]);
}

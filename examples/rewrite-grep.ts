// Teaches: rewriting. An input layer changes what runs, and an output layer tells the model where that changed the meaning.
import { definePlugin } from "mortise/sdk";

/** What `grep -r` and `rg` understand alike: options that mean the same, a pattern of plain words, plain paths. */
const SIMPLE = /^grep -([rinlwcH]+) ("[\w ./:=-]+"|'[\w ./:=-]+'|\w[\w./:=-]*)((?: [\w./][\w./-]*)*)$/;
const NOTE = "[This ran as `rg`, which skips hidden files, binaries and what .gitignore lists. Add -uuu to search those too.]";

export default definePlugin(
  {
    name: "rewrite-grep",
    description: "Runs `grep -r` as `rg`",
    steer: ["tool.bash.input", "tool.bash.output"],
    // Scoped: to look whether `rg` is there. It does not pay for the layers, `steer` does.
    capabilities: { run: ["rg --version"] },
  },
  (api) => {
    const rewritten = new Set<string>();

    api.setSlot("tool.bash.input", async (prev, input, ctx) => {
      const command = asRipgrep(input.command);
      if (command === undefined || !(await hasRipgrep())) return prev();
      rewritten.add(ctx.toolId);
      return prev({ ...input, command });
    });

    api.setSlot("tool.bash.output", async (prev, _value, ctx) => {
      const output = await prev();
      if (!rewritten.has(ctx.toolId) || ctx.outputMode === "full") return output;
      return { ...output, text: `${output.text}\n${NOTE}` };
    });

    api.createAutocmd("ToolDone", ({ data }) => void rewritten.delete(data.toolId));

    async function hasRipgrep(): Promise<boolean> {
      try {
        return (await api.run.exec({ argv: ["rg", "--version"] })).exitCode === 0;
      } catch {
        return false;
      }
    }
  },
);

function asRipgrep(command: string): string | undefined {
  const [, options, pattern, paths] = SIMPLE.exec(command.trim()) ?? [];
  if (!options?.includes("r")) return undefined;
  const others = options.replaceAll("r", "");
  return `rg ${others === "" ? "" : `-${others} `}${pattern}${paths}`;
}

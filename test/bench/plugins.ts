import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A plugin that has one layer, of the same kind, on each of the slots. */
export function layerPlugin(name: string, slots: readonly string[], layer = passing): { name: string; source: string } {
  const source = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "${name}", steer: ${JSON.stringify(slots)} }, (api) => {
  for (const slot of ${JSON.stringify(slots)}) api.setSlot(slot, ${layer});
});
`;
  return { name, source };
}

/** Goes in and out of the isolate twice: a value into the layer, out through \`prev\`, back from it, and out as the answer. */
export const passing = "async (prev, value) => { const below = await prev(value); return below; }";

/** Never answers at every other call. */
export const spinning = "(() => { let calls = 0; return async (prev, value) => { if (calls++ % 2 === 1) for (;;); return prev(value); }; })()";

/** Files as a user has them: every fifth brings a schema library. */
export async function writePlugins(folder: string, count: number): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const path = join(folder, `guard-${i}.ts`);
      await writeFile(path, guard(i, i % 5 === 0));
      return path;
    }),
  );
}

function guard(i: number, withSchema: boolean): string {
  return `import { definePlugin, deny } from "mortise/sdk";
${withSchema ? 'import * as z from "zod/mini";\nconst Command = z.object({ command: z.string() });\n' : ""}
type Rule = { pattern: RegExp; reason: string };

const rules: readonly Rule[] = [
  { pattern: /\\bdrop (table|database) t${i}\\b/i, reason: "Write a migration instead." },
  { pattern: /\\bgit push\\b.*--force\\b/, reason: "Open a pull request instead." },
  { pattern: /\\bterraform (apply|destroy)\\b/, reason: "Ask the team first." },
];

export default definePlugin({ name: "guard-${i}", steer: ["tool.bash.input", "tool.bash.output"] }, (api) => {
  api.judge("tool.bash.input", (input) => {
    const { command } = ${withSchema ? "Command.parse(input)" : "input"};
    const broken = rules.find(({ pattern }) => pattern.test(command));
    return broken === undefined ? undefined : deny(broken.reason);
  });
  api.setSlot("tool.bash.output", async (prev) => {
    const output = await prev();
    return { ...output, text: output.text.replace(/\\btoken-${i}-\\w+/g, "[redacted]") };
  });
});
`;
}

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./processes.ts";
import { type Case, each } from "./rounds.ts";

const mortise = fileURLToPath(new URL("../../core/cli/mortise.mjs", import.meta.url));

const ping = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "ping" }, (api) => {
  api.registerTool({ name: "ping", description: "Answers.", input: { type: "object", properties: {} }, scopes: "none", run: () => "pong" });
});
`;

/** Whole processes, from their start to their end. */
export async function commandLine(folder: string): Promise<Case[]> {
  const cwd = join(folder, "project");
  await mkdir(cwd, { recursive: true });
  await writeFile(join(cwd, "ping.ts"), ping);
  await writeFile(join(cwd, "note.txt"), "buy milk\n");
  const command = async (args: readonly string[], expected: string) => {
    const printed = await run(process.execPath, [mortise, ...args], { cwd });
    if (!printed.includes(expected)) throw new Error(`mortise ${args.join(" ")} printed ${printed}`);
  };
  return [
    { name: "node -e 0", sample: () => each(2, () => run(process.execPath, ["-e", "0"], { cwd })) },
    { name: "mortise --version", sample: () => each(2, () => command(["--version"], ".")) },
    { name: "mortise call ping", sample: () => each(1, () => command(["call", "ping", "{}", "--plugin", "ping.ts"], "pong")) },
    { name: "mortise call read", sample: () => each(1, () => command(["call", "read", '{"path":"note.txt"}', "--yolo"], "buy milk")) },
    { name: "mortise call bash", sample: () => each(1, () => command(["call", "bash", '{"command":"echo hi"}', "--yolo"], "hi")) },
  ];
}

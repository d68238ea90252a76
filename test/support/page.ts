import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where settings may lie besides the reader's home. */
const settings = ["CONFIG", "CACHE", "STATE"].flatMap((kind) => [`MORTISE_${kind}_HOME`, `XDG_${kind}_HOME`]);

/** A fence of a page: its language, the file it is (```ts no-drop.ts), and where its body lies in the page. */
export type Fence = { language: string; file: string | undefined; body: string; start: number; line: number };

export function fencesOf(page: string): Fence[] {
  return [...page.matchAll(/^```(\w+)?(?: (\S+))?\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? "",
    file: match[2],
    body: match[3] ?? "",
    start: match.index + match[0].indexOf("\n") + 1,
    line: page.slice(0, match.index).split("\n").length,
  }));
}

/** A part of a `setup`, as a whole plugin that asks for everything. */
export function asPlugin(fragment: string): string {
  return `import { ask, definePlugin, deny, respond } from "mortise/sdk";
export default definePlugin(
  { name: "page", capabilities: { fs_read: true, fs_write: true, net: true, run: true, env: true } },
  async (api) => {
${fragment}
  },
);
export const used = [ask, deny, respond];
`;
}

/** A folder as a reader of a page has it: the examples, `mortise` installed and on the PATH, and no settings yet. */
export async function readersFolder(): Promise<{ folder: string; run(script: string): Promise<string>; remove(): Promise<void> }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "mortise-page-")));
  const folder = join(base, "project");
  await mkdir(join(folder, "node_modules"), { recursive: true });
  await cp(join(root, "examples"), join(folder, "examples"), { recursive: true });
  // Listed newest first, and copied in no order.
  const copied = (await readdir(join(folder, "examples"), { recursive: true })).sort().reverse();
  for (const [at, name] of copied.entries()) await utimes(join(folder, "examples", name), 1_700_000_000 + at, 1_700_000_000 + at);
  await symlink(root, join(folder, "node_modules/mortise"));
  await symlink(join(root, "node_modules/zod"), join(folder, "node_modules/zod"));
  await mkdir(join(base, "bin"));
  await writeFile(join(base, "bin/mortise"), `#!/bin/sh\nexec "${process.execPath}" "${join(root, "core/cli/mortise.mjs")}" "$@"\n`);
  await chmod(join(base, "bin/mortise"), 0o755);
  const env = {
    ...process.env,
    PATH: [join(base, "bin"), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: base,
    NO_COLOR: "1",
    ...Object.fromEntries([...settings, "NODE_TEST_CONTEXT", "NODE_OPTIONS"].map((name) => [name, undefined])),
  };
  return {
    folder,
    run: (script) =>
      new Promise((resolve) => {
        execFile("bash", ["-c", `exec 2>&1 < /dev/null\n${script}`], { cwd: folder, env, timeout: 60_000 }, (_error, stdout) =>
          resolve(stdout.replaceAll(base, "/home/you").replaceAll(root, "/home/you/mortise/")),
        );
      }),
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

/** What differs from run to run. */
export function steady(output: string): string {
  return output
    .replace(/\d+(\.\d+)?(?= ?m?s\b)/g, "N")
    .replace(/\b(ms|durationMs)("?: ?)[\d.]+/g, "$1$2N")
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, "ID")
    .replace(/\b[0-9a-f]{64}\b/g, "HASH")
    .replace(/\b1[1-9A-HJ-NP-Za-km-z]{21}\b/g, "SESSION")
    .replace(/\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "TIME")
    .replace(/\b\d+\.\d+\.\d+\b/g, "VERSION")
    .replace(/[ \t]+/g, " ")
    .trimEnd();
}

export async function readPage(name: string): Promise<string> {
  return readFile(join(root, name), "utf8");
}

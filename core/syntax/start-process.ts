import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { MortiseError } from "../../sdk/errors.ts";

/** What it is asked for: one process does one kind of work alone. `tiers` is for queries too, with grammars whose wasm may tier up. */
export type SyntaxKind = "understand" | "query" | "tiers";

/** A process, and sockets: one to itself, and one to each thread that it may have. */
export type StartedProcess = { child: ChildProcess; sockets: readonly Socket[] };

/** Starts a syntax process: no environment, and no files but its own code and grammars. Nothing of it keeps the host alive. Throws where there can be none. */
export function startProcess(kind: SyntaxKind, execPath: string, threads: number): StartedProcess {
  const root = packageRoot(dirname(fileURLToPath(import.meta.url)));
  const { resolve } = createRequire(join(root, "package.json"));
  // Where the package is, and where the process looks for it: the two differ where node_modules or the package is a link.
  const runtimes = [
    dirname(resolve("web-tree-sitter")),
    ...(resolve.paths("web-tree-sitter") ?? []).map((folder) => join(folder, "web-tree-sitter")),
  ];
  const readable = [
    join(root, "dist", "syntax.js"),
    join(root, "dist", "grammars") + sep,
    join(root, "package.json"),
    ...runtimes.map((folder) => folder + sep),
  ];
  const argv = [
    // Some grammars take gigabytes when the wasm tiers up.
    ...(kind === "tiers" ? [] : ["--liftoff-only"]),
    "--preserve-symlinks",
    "--permission",
    ...(threads > 0 ? ["--allow-worker"] : []),
    ...readable.map((path) => `--allow-fs-read=${path}`),
    join(root, "dist", "syntax.js"),
    kind,
    String(threads),
  ];
  const pipes = Array.from({ length: 1 + threads }, () => "pipe" as const);
  const child = spawn(execPath, argv, { env: {}, stdio: ["ignore", "ignore", "ignore", ...pipes], windowsHide: true });
  // What goes wrong shows as an end; an error without a listener would end the host.
  child.on("error", () => {});
  const sockets = child.stdio.slice(3).map((socket) => {
    if (!(socket instanceof Socket)) throw new MortiseError("internal", { seen: "a parser without a socket" });
    return socket.on("error", () => {});
  });
  hold({ child, sockets }, false);
  return { child, sockets };
}

/** A process that was ended is never asked again. */
export function endProcess({ child, sockets }: StartedProcess): void {
  child.kill("SIGKILL");
  for (const socket of sockets) socket.destroy();
}

/** Whether the process keeps this one alive. */
export function hold({ child, sockets }: StartedProcess, wanted: boolean): void {
  for (const each of [child, ...sockets]) {
    if (wanted) each.ref();
    else each.unref();
  }
}

/** The host's code runs from its folders or from dist/. */
function packageRoot(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  return packageRoot(dirname(folder));
}

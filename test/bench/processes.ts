import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";

/** Runs a program to its end and answers what it printed. */
export async function run(file: string, args: readonly string[], options: SpawnOptions = {}, input?: string): Promise<string> {
  const child = spawn(file, args, { ...options, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
  child.stdin?.end(input);
  const [printed, complained, code] = await Promise.all([all(child.stdout), all(child.stderr), closed(child)]);
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code}: ${complained || printed}`);
  return printed;
}

/** Starts a program, answers its first line, and lets it end. */
export async function firstLine(file: string, args: readonly string[], options: SpawnOptions = {}): Promise<{ line: string; us: number }> {
  const started = performance.now();
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  let us: number | undefined;
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
    if (printed.includes("\n")) us ??= (performance.now() - started) * 1000;
  });
  const code = await closed(child);
  if (code !== 0 || us === undefined) throw new Error(`${file} ${args.join(" ")} ended with ${code}: ${printed}`);
  return { line: printed.slice(0, printed.indexOf("\n")), us };
}

/** Resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}

function closed(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
}

async function all(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  for await (const chunk of stream?.setEncoding("utf8") ?? []) text += chunk;
  return text;
}

import { run } from "./processes.ts";
import { type Case, each } from "./rounds.ts";

const event = `${JSON.stringify({ event: "tool", tool: "bash", input: { command: "git status --short && git log -1 --format=%s" }, session: 1 })}\n`;

const scripts = {
  sh: 'read -r line; printf "%s\\n" "$line"',
  node: 'console.log(JSON.stringify(JSON.parse(require("node:fs").readFileSync(0, "utf8"))))',
  python: "import json, sys; print(json.dumps(json.loads(sys.stdin.readline())))",
};

/** What agents with shell hooks pay for each event: a program is started, reads a JSON line and prints one. */
export async function hooks(): Promise<Case[]> {
  const python = await pythonPath();
  return [
    { name: "sh -c true", sample: () => each(3, () => run("sh", ["-c", "true"])) },
    { name: "sh hook", sample: () => each(3, () => answered("sh", ["-c", scripts.sh])) },
    { name: "node hook", sample: () => each(1, () => answered(process.execPath, ["-e", scripts.node])) },
    ...(python === undefined ? [] : [{ name: "python hook", sample: () => each(1, () => answered(python, ["-c", scripts.python])) }]),
  ];
}

async function answered(file: string, args: string[]): Promise<void> {
  const line = await run(file, args, {}, event);
  if (JSON.parse(line).tool !== "bash") throw new Error(`The hook ${file} printed ${line}`);
}

/** Python itself: what manages versions of it puts scripts in its place that cost more than it does. */
async function pythonPath(): Promise<string | undefined> {
  const path = await run("python3", ["-c", "import sys; print(sys.executable)"]).catch(() => "");
  return path.trim() || undefined;
}

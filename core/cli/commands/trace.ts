import { join } from "node:path";
import { Command } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import type { TraceLine } from "../../traces.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, withExamples } from "../help.ts";

export type TraceOptions = { json?: true };

export function traceCommand(run: Run): Command {
  const command = new Command("trace")
    .summary("show what each layer did in a session")
    .description("Shows what each layer did in the calls of a session and to the agent between them; without one, lists the sessions, newest first.")
    .argument("[session]", "its id, or the beginning of it")
    .option("--json", "print JSON")
    .action((session: string | undefined, options: TraceOptions) => run((cli) => trace(session, options, cli)));
  return withExamples(command, [
    ["trace", "which sessions there are"],
    ["trace 3f2a", "the calls of the session whose id begins so"],
    ["trace 3f2a --json", "the same records that `mortise call --json` prints"],
  ]);
}

async function trace(wanted: string | undefined, options: TraceOptions, cli: Cli): Promise<number> {
  const [{ listTraces, readTrace }, { userFolders }] = await Promise.all([import("../../traces.ts"), import("../../config/folders.ts")]);
  const folder = join(userFolders().state, "sessions");
  const sessions = await listTraces(folder);
  if (wanted === undefined) {
    await (options.json ? cli.stdio.json(sessions) : printSessions(sessions, cli));
    return exits.ok;
  }
  const sessionId = chosen(wanted, sessions);
  const records = await readTrace(folder, sessionId);
  if (records === undefined) throw new MortiseError("no_session", { seen: JSON.stringify(wanted) });
  await (options.json ? cli.stdio.json(records) : printRecords(records, cli));
  return exits.ok;
}

/** The id that is given, or the only one that begins so. Throws `no_session`, `usage` where there are several. */
function chosen(wanted: string, sessions: readonly { sessionId: string }[]): string {
  const like = sessions.map(({ sessionId }) => sessionId).filter((id) => id.startsWith(wanted));
  const [first, second] = like;
  if (like.includes(wanted)) return wanted;
  if (first === undefined || wanted === "") throw new MortiseError("no_session", { seen: JSON.stringify(wanted) });
  if (second !== undefined) throw new MortiseError("usage", { seen: `${like.length} sessions begin with ${JSON.stringify(wanted)}` });
  return first;
}

async function printSessions(sessions: readonly { sessionId: string; at: Date }[], { stdio }: Cli): Promise<void> {
  if (sessions.length === 0) stdio.say("There are no sessions yet.");
  for (const { sessionId, at } of sessions) await stdio.write(`${sessionId}  ${stdio.paint("dim", at.toISOString())}\n`);
}

async function printRecords(records: readonly TraceLine[], { stdio }: Cli): Promise<void> {
  const [{ accountOf, brief }, { traceLines }] = await Promise.all([import("../account.ts"), import("../trace-lines.ts")]);
  for (const { record, depth } of nested(records)) {
    const isCall = "tool" in record;
    const head = isCall ? `${stdio.paint("bold", brief(record.tool))} ${brief(record.input)}` : stdio.paint("bold", brief(record.slot));
    const lines = [...(isCall ? accountOf(record, stdio.paint) : []), ...traceLines(record.trace, stdio.paint)];
    const space = "  ".repeat(depth);
    await stdio.write([`${head}  ${stdio.paint("dim", record.at)}`, ...lines.map((line) => `  ${line}`)].map((line) => `${space}${line}\n`).join(""));
  }
}

/** Each call before those that it made, or that a subagent of it made: these end before it does. */
function nested(records: readonly TraceLine[]): { record: TraceLine; depth: number }[] {
  const calls = new Set(records.flatMap((record) => ("tool" in record ? [record.toolId] : [])));
  const ofTask = new Map(
    records.flatMap((each) =>
      "tool" in each && each.taskId !== undefined && each.origin === "model" ? [[each.taskId, each.parentId] as const] : [],
    ),
  );
  const below = new Map<string | undefined, TraceLine[]>();
  for (const record of records) {
    const wanted = "tool" in record ? record.parentId : record.taskId === undefined ? undefined : ofTask.get(record.taskId);
    const parent = wanted !== undefined && calls.has(wanted) ? wanted : undefined;
    const own = below.get(parent);
    if (own === undefined) below.set(parent, [record]);
    else own.push(record);
  }
  const under = (parent: string | undefined, depth: number): { record: TraceLine; depth: number }[] =>
    (below.get(parent) ?? []).flatMap((record) => [{ record, depth }, ...("tool" in record ? under(record.toolId, depth + 1) : [])]);
  return under(undefined, 0);
}

import { join } from "node:path";
import { userFolders } from "../../../config/folders.ts";
import { readTrace, type TraceLine } from "../../../traces.ts";
import { accountOf, brief, milliseconds } from "../../account.ts";
import { tableOf } from "../../table.ts";
import { traceLines } from "../../trace-lines.ts";
import type { ChatCommand } from "../chat-control.ts";

const SHOWN = 15;
const plain = (_style: unknown, text: string): string => text;

/** Shows what layers did in the last calls of the session, or in one of them. */
export const trace: ChatCommand = {
  name: "trace",
  description: "show the last tool calls; a number shows what each layer did in one",
  source: "mortise",
  async run(args, { sessionId }) {
    const records = (await readTrace(join(userFolders().state, "sessions"), sessionId)) ?? [];
    const wanted = args.trim();
    if (records.length === 0) return "No tool was called in this session yet.";
    const numbered = records.map((record, i) => ({ record, number: i + 1 }));
    if (wanted === "") return [...tableOf(numbered.slice(-SHOWN).map(row)), "`/trace <number>` shows one of them."].join("\n");
    // An id may begin with digits, too: a short number is a place in the list.
    const isNumber = /^\d{1,6}$/.test(wanted);
    const found = numbered.find(({ record, number }) => (isNumber ? `${number}` === wanted : "toolId" in record && record.toolId.startsWith(wanted)));
    if (found === undefined) return `There is no call ${JSON.stringify(wanted)}. \`/trace\` lists the last ones with their numbers.`;
    return details(found.record).join("\n");
  },
};

function row({ record, number }: { record: TraceLine; number: number }): string[] {
  if (!("tool" in record)) return [`${number}`, brief(record.slot), "", milliseconds(record.durationMs), ""];
  const end = record.stopped !== null ? `stopped by ${record.stopped.plugin}` : record.ran ? (record.isError ? "failed" : "ran") : "did not run";
  return [`${number}`, brief(record.tool), brief(end), milliseconds(record.durationMs), brief(record.input, 80)];
}

function details(record: TraceLine): string[] {
  const lines = traceLines(record.trace, plain);
  if (!("tool" in record)) return [brief(record.slot), ...lines];
  return [`${brief(record.tool)} ${brief(record.input, 400)}`, ...accountOf(record, plain), ...lines];
}

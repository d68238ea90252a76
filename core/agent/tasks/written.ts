import type { AgentAnswer, AgentTask } from "../../../sdk/api.ts";
import { tokensOf } from "../ledger.ts";
import type { Message } from "../message.ts";
import type { Usage } from "../session-event.ts";
import type { Tiers } from "./create-driver.ts";
import { ends } from "./endings.ts";

/** What the log of a subagent says of it. `reason` is null where its process ended before it did. */
export type WrittenTask = { model: string; messages: readonly Message[]; reason: string | null; usage: Usage; costUsd: number | null };

const MAX_CHARS = 40_000;
/** Ids of subagents, which are names of files too. */
const Id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A task of an earlier process: lost where it was at work when that ended. */
export async function readWritten(
  id: string,
  { readTask, tiers }: { readTask?(id: string): Promise<WrittenTask | undefined>; tiers?: Tiers },
): Promise<AgentTask | undefined> {
  if (!Id.test(id)) return undefined;
  const written = await readTask?.(id).catch(() => undefined);
  if (written === undefined) return undefined;
  const { model, messages, usage, costUsd } = written;
  const known: Readonly<Record<string, AgentAnswer["ended"] | undefined>> = ends;
  const ended = known[written.reason ?? "cancelled"] ?? "cancelled";
  const texts = messages.flatMap(textOf);
  const text = (ended === "done" ? texts.slice(-1) : texts).join("\n\n");
  return {
    id,
    name: id,
    model,
    tier: tiers?.of(model) ?? "medium",
    clamped: false,
    // What was at work when a session was closed was cancelled with it.
    status: ended === "cancelled" ? "lost" : "done",
    answer: {
      text: text.length <= MAX_CHARS ? text : `[...]${text.slice(-MAX_CHARS).toWellFormed()}`,
      ended,
      calls: [],
      turns: messages.filter(({ role }) => role === "assistant").length,
      tokens: tokensOf(usage),
      costUsd,
      durationMs: 0,
    },
  };
}

function textOf(message: Message): string[] {
  if (message.role !== "assistant") return [];
  const text = message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("")
    .trim();
  return text === "" ? [] : [text];
}

import { slots } from "../../sdk/contract.ts";
import type { AgentSlot } from "../host-types.ts";
import type { RunContext } from "./agent-state.ts";
import type { UserInput } from "./backend.ts";
import type { MessageSource } from "./session-event.ts";

/** A message as layers leave it, or who dropped it and why. */
export type Heard = { text: string; rewrittenBy: readonly string[] } | { dropped: string; plugin: string | null };

/** `agent.user_message`: a cancel meanwhile stops the run, since a message that a guard did not see goes nowhere. */
export async function hearMessage(run: RunContext, { text, images = [], source }: UserInput): Promise<Heard> {
  const fired = await fire(run, "agent.user_message", () => ({ text, images: images.length, source: sourceOf(source) }));
  run.signal.throwIfAborted();
  if (fired === undefined || fired.kind === "cancelled") return { text, rewrittenBy: [] };
  if (fired.kind === "denied") return { dropped: fired.reason, plugin: fired.plugin };
  const heard = slots["agent.user_message"].answer.safeParse(fired.value).data?.text ?? text;
  if (heard.trim() === "" && images.length === 0 && text.trim() !== "")
    return { dropped: "Nothing was left of the message.", plugin: fired.by[0] ?? null };
  return { text: heard, rewrittenBy: heard === text ? [] : fired.by };
}

/** `agent.stop`: what to go on with, where a layer says so. */
export async function askStop(
  run: RunContext,
  reason: "finished" | "max_tokens",
  lastMessage: string,
): Promise<{ text: string; by: string } | undefined> {
  const fired = await fire(run, "agent.stop", () => ({ reason, lastMessage, numTurns: run.turns }));
  if (fired?.kind !== "value") return undefined;
  const text = slots["agent.stop"].answer.safeParse(fired.value).data?.continue;
  return text === undefined || text.trim() === "" ? undefined : { text, by: fired.by.join(", ") };
}

export type CompactReason = "auto" | "overflow" | "manual";

/** `agent.compact.before`: whether to leave it out, and what to add to what is asked for and to what goes on. */
export async function beforeCompaction(
  run: RunContext,
  value: { reason: CompactReason; usable: number; requestInstructions: string },
): Promise<{ skip: boolean; instructions: string; resume: string }> {
  const fired = await fire(run, "agent.compact.before", () => ({ ...value, contextSize: run.agent.gauge.tokens() }));
  const maySkip = value.reason !== "overflow";
  if (fired?.kind === "denied") return { skip: maySkip, instructions: "", resume: "" };
  const said = fired?.kind === "value" ? slots["agent.compact.before"].answer.safeParse(fired.value).data : undefined;
  return { skip: maySkip && said?.skip === true, instructions: said?.instructions ?? "", resume: said?.continue ?? "" };
}

export type CollapseChoice = {
  results: { index: number; tool: string; input: unknown; bytes: number; text: string }[];
  budget: number;
  collapse: number[];
};

/** `agent.compact.prepare`: which results a summary does without, by index. The choice stays as it was unless a layer changes it. */
export async function prepareCompaction(run: RunContext, make: () => CollapseChoice): Promise<readonly number[] | undefined> {
  const fired = await fire(run, "agent.compact.prepare", make);
  return fired?.kind === "value" ? slots["agent.compact.prepare"].answer.safeParse(fired.value).data?.collapse : undefined;
}

/** Undefined where nothing is layered: the value is not even made. */
async function fire(run: RunContext, slot: AgentSlot, value: () => unknown) {
  const { host, sessionId, taskId, gauge, model } = run.agent;
  if (!host.agent.isLayered(slot)) return undefined;
  const ctx = {
    sessionId,
    ...(taskId === undefined ? {} : { taskId }),
    model: model.id,
    contextSize: gauge.tokens(),
    contextWindow: model.contextWindow,
  };
  return host.agent.fire(slot, value(), ctx, run.signal);
}

function sourceOf(source: MessageSource): "tui" | "acp" | "headless" | "plugin" {
  return source === "terminal" ? "tui" : source === "mailbox" ? "plugin" : source;
}

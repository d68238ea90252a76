import * as z from "zod/mini";
import { MortiseError, sentence } from "../../sdk/errors.ts";
import { type ActiveCall, layerCtx } from "../active-call.ts";
import type { Core } from "../core.ts";
import { capText } from "../output/cap.ts";
import { plainText } from "../output/plain.ts";
import type { Cut } from "../record.ts";
import { fire, specOf } from "../slots/fire.ts";
import { traceLayers } from "../trace.ts";
import { reasonOf } from "./reason.ts";
import type { Output } from "./run.ts";

const OutputValue = z.object({ text: z.string(), isError: z.boolean(), data: z.optional(z.unknown()) });

/** What output layers get at least, in milliseconds, also after a cancel or a deadline. */
const FLOOR_MS = 5_000;

export type LayeredOutput = Output & {
  /** The layer whose reason replaced the text. */
  denied?: { plugin: string; reason: string };
  /** Why the text is not what the layers made of it. */
  code?: "withheld" | "cancelled";
  cut: Pick<Cut, "terminalChars" | "capChars">;
};

/**
 * Cuts the text to the host's cap, then runs `tool.*.output` layers around `tool.<name>.output` layers. A blocking layer that fails withholds the text.
 * A cancel meanwhile ends them: the text stays as it was, or is withheld where a layer blocks. One that came before leaves them their time.
 */
export async function outputStage(core: Core, call: ActiveCall, output: Output, ran: Record<string, unknown>): Promise<LayeredOutput> {
  const plain = plainText(output.text);
  const { text: cappedText, droppedChars } = capText(plain);
  const { images, ...textual } = output;
  const capped: Output = { ...textual, text: cappedText };
  const seen: Pick<Output, "images"> = images === undefined ? {} : { images };
  const cut = { terminalChars: output.text.length - plain.length, capChars: droppedChars };
  const layers = core.layers().tool("output", call.tool);
  if (layers.length === 0) return { ...capped, ...seen, cut };
  const slot = `tool.${call.tool.name}.output`;
  const spec = specOf(slot);
  const windowMs = Math.max(Math.min(call.deadline.remainingMs(), spec.windowMs), FLOOR_MS);
  const context = core.contexts.enter({ kind: "layer", call, depth: call.depth });
  const cancel = cancelFrom(call.deadline.signal);
  const fired = await fire(core.isolates, {
    slot,
    spec,
    specName: "tool.*.output",
    layers,
    value: capped,
    ctx: layerCtx(call, windowMs, ran),
    base: "identity",
    limits: core.limits(spec, windowMs),
    callKey: context.key,
    signal: cancel.signal,
  });
  cancel.forget();
  context.leave();
  // Layers hand on `data` apart from the rest.
  call.trace.push(...traceLayers(fired.records, { text: capped.text, isError: capped.isError }, "layer"));
  const { end } = fired;
  if (end.kind === "value") {
    const value = OutputValue.parse(fired.value);
    const layered = capText(value.text);
    return {
      text: layered.text,
      isError: value.isError,
      ...(value.data === undefined ? {} : { data: value.data }),
      // No layer saw them: one that replaced the text may have meant them too.
      ...(value.text === cappedText ? seen : {}),
      cut: { ...cut, capChars: cut.capChars + layered.droppedChars },
    };
  }
  if (end.kind === "deny") {
    const reason = reasonOf(end.plugin, end.reason);
    return { text: reason, isError: true, denied: { plugin: end.plugin, reason }, cut };
  }
  if (end.kind === "cancelled" && !layers.some((layer) => layer.onFailure === "block")) return { ...capped, ...seen, code: "cancelled", cut };
  return { text: sentence("withheld"), isError: true, code: "withheld", cut };
}

/** Fires with a cancel that is still to come: a deadline leaves layers their floor. */
function cancelFrom(call: AbortSignal): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  const onAbort = () => {
    if (call.reason instanceof MortiseError && call.reason.code === "cancelled") controller.abort(call.reason);
  };
  call.addEventListener("abort", onAbort, { once: true });
  return { signal: controller.signal, forget: () => call.removeEventListener("abort", onAbort) };
}

import * as z from "zod/mini";
import { sentence } from "../../sdk/errors.ts";
import { type ActiveCall, layerCtx } from "../active-call.ts";
import type { Core } from "../core.ts";
import { capText } from "../output/cap.ts";
import { plainText } from "../output/plain.ts";
import { fire, specOf } from "../slots/fire.ts";
import { traceLayers } from "../trace.ts";
import type { Output } from "./run.ts";

const OutputValue = z.object({ text: z.string(), isError: z.boolean(), data: z.optional(z.unknown()) });

/** What output layers get at least, in milliseconds, also after a cancel or a deadline. */
const FLOOR_MS = 5_000;

/** Cuts the text to the host's cap, then runs `tool.*.output` layers around `tool.<name>.output` layers. A blocking layer that fails withholds the text. */
export async function outputStage(core: Core, call: ActiveCall, output: Output, ran: Record<string, unknown>): Promise<Output> {
  const capped: Output = { ...output, text: capText(plainText(output.text)).text };
  const layers = core.layers().tool("output", call.tool);
  if (layers.length === 0) return capped;
  const slot = `tool.${call.tool.name}.output`;
  const spec = specOf(slot);
  const windowMs = Math.max(Math.min(call.deadline.remainingMs(), spec.windowMs), FLOOR_MS);
  const context = core.contexts.enter({ kind: "layer", call, depth: 0 });
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
  });
  context.leave();
  call.trace.push(...traceLayers(fired.records, capped, "layer"));
  switch (fired.end.kind) {
    case "value": {
      const value = OutputValue.parse(fired.value);
      return { text: capText(value.text).text, isError: value.isError, ...(value.data === undefined ? {} : { data: value.data }) };
    }
    case "deny":
      return { text: fired.end.reason, isError: true };
    default:
      return { text: sentence("withheld"), isError: true };
  }
}

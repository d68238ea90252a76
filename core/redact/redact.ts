import * as z from "zod/mini";
import { slices } from "../../sdk/contract.ts";
import { sentence } from "../../sdk/errors.ts";
import { type Packed, pack, unpack } from "../../sdk/wire.ts";
import type { ChainRequest, Isolates, LayerRecord } from "../isolate/isolates.ts";
import type { StandingRedactor } from "../slots/layers.ts";

const Texts = z.object({ texts: z.array(z.string()) });

export type Redacted = { texts: string[]; withheld: boolean; records: LayerRecord[] };

/** Time for all redactors over all texts of a call, in milliseconds. A cancel does not shorten it: what is not redacted is not shown. */
const WINDOW_MS = 5_000;

/**
 * Runs every redactor over the texts. Where one fails, in whatever way, each text is replaced by the sentence of `withheld`.
 * Without redactors nothing is sent.
 */
export async function redact(
  isolates: Isolates,
  redactors: readonly StandingRedactor[],
  texts: readonly string[],
  callKey: string,
): Promise<Redacted> {
  if (redactors.length === 0 || texts.length === 0) return { texts: [...texts], withheld: false, records: [] };
  const broken = redactors.find((redactor) => redactor.broken !== null);
  if (broken !== undefined) {
    const failure = { code: broken.broken?.code ?? ("internal" as const), message: broken.broken?.message ?? "", plugin: broken.plugin };
    return withhold(texts, [{ slot: broken.slot, plugin: broken.plugin, handler: broken.handler, ms: 0, outcome: "failed", failure }]);
  }
  const request: ChainRequest = {
    slot: "redact",
    spec: "redact",
    layers: redactors.map(({ plugin, handler }) => ({ plugin, handler, onFailure: "block", data: false })),
    value: pack({ texts }),
    ctx: {},
    base: "identity",
    callKey,
    windowMs: WINDOW_MS,
    sliceMs: slices.redactor,
    budgetMs: 1_000,
  };
  const result = await isolates.chain(request).catch(() => undefined);
  const made = result?.end.kind === "value" ? textsOf(result.value) : undefined;
  if (result === undefined || made?.length !== texts.length) return withhold(texts, result?.records ?? []);
  return { texts: made, withheld: false, records: result.records };
}

function textsOf(packed: Packed): string[] | undefined {
  try {
    return Texts.parse(unpack(packed)).texts;
  } catch {
    return undefined;
  }
}

function withhold(texts: readonly string[], records: LayerRecord[]): Redacted {
  return { texts: texts.map((text) => (text === "" ? "" : sentence("withheld"))), withheld: true, records };
}

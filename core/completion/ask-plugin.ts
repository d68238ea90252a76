import { slots } from "../../sdk/contract.ts";
import { type Code, sentence } from "../../sdk/errors.ts";
import { pack, packedChars, unpack } from "../../sdk/wire.ts";
import type { Core } from "../core.ts";
import { redact } from "../redact/redact.ts";
import type { CompletionRow, FoundSource } from "./completion-types.ts";
import { rowsOf } from "./rows.ts";

export type Wanted = { trigger: string; query: string; sessionId: string; cwd: string; limit: number; signal: AbortSignal };
export type Asked = { rows: CompletionRow[]; malformed: number; isWhole?: boolean } | { failure: { code: Code; message: string } };

/** An answer of more characters is not read: it would hold up everything else. */
const MOST_CHARS = 4_000_000;

/** Asks a source of a plugin, in its isolate and with its grants alone. What comes back is redacted, as everything that a plugin shows. */
export async function askPlugin(core: Core, source: FoundSource, { query, limit, signal, ...wanted }: Wanted): Promise<Asked> {
  const loaded = core.plugins().find(({ name, failed }) => name === source.plugin && failed === null);
  const handler = loaded?.manifest.layers.find(({ completes }) => completes !== undefined)?.completes;
  if (handler === undefined) return failed("source_unknown");
  const spec = slots["completion.sources"];
  const limits = core.limits(spec, spec.windowMs);
  const context = core.contexts.enter({ kind: "completion", call: null, depth: 0 });
  const result = await core.isolates
    .invoke({
      plugin: source.plugin,
      handler,
      kind: "completion",
      args: [
        pack({ name: source.name, query }),
        pack({ trigger: wanted.trigger, sessionId: wanted.sessionId, cwd: wanted.cwd, deadlineMs: limits.windowMs }),
      ],
      callKey: context.key,
      signal,
      graceMs: 0,
      ...limits,
    })
    .finally(context.leave);
  if (!result.ok) return { failure: { code: result.failure.code, message: result.failure.message } };
  if (result.answer.kind === "nothing") return { rows: [], malformed: 0 };
  if (result.answer.kind !== "value") return failed("wrong_answer");
  if (packedChars(result.answer.value) > MOST_CHARS) return failed("payload_too_large");
  const read = rowsOf(unpack(result.answer.value), source, limit);
  return read === undefined ? failed("wrong_answer") : { ...read, rows: await redacted(core, read.rows) };
}

/** A row whose text holds a secret is left out: what is typed would not be what was meant. */
async function redacted(core: Core, rows: CompletionRow[]): Promise<CompletionRow[]> {
  const redactors = core.layers().redactors(null);
  if (redactors.length === 0 || rows.length === 0) return rows;
  const texts = rows.flatMap(({ text, label, description }) => [text, label, description ?? ""]);
  const clean = await redact(core.isolates, redactors, texts, "completion");
  return rows.flatMap((row, i) => {
    const [text, label = "", description = ""] = clean.texts.slice(3 * i);
    return text === row.text ? [{ ...row, label, description: row.description === null ? null : description }] : [];
  });
}

function failed(code: Code): Asked {
  return { failure: { code, message: sentence(code) } };
}

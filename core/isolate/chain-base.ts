import type { Below, Draft } from "./chains.ts";
import type { Answer, ChainRequest, InvokeRequest, InvokeResult } from "./isolates.ts";
import { joinData, splitData } from "./packed-values.ts";
import { thrownBy } from "./places.ts";
import { hasData } from "./tables.ts";

/** The innermost end of a chain. */
export type Base = { run(draft: Draft): Promise<Omit<Below, "records">> };

/** The name a verdict of the host's own base goes by. */
const HOST = "host";

export function createBase(request: ChainRequest, invoke: (request: InvokeRequest) => Promise<InvokeResult>): Base {
  // A chain that is run again after a death does not ask a person the same thing twice.
  let before: { json: string | undefined; answer: Promise<Answer> } | undefined;

  return {
    async run(draft) {
      const { base } = request;
      if (base === "identity") return { head: { kind: "value" }, draft };
      if (typeof base !== "function") return fromPlugin(base, draft);
      const value = joinData(draft.value, draft.data);
      if (before === undefined || before.json !== value.json || value.blobs.length > 0) before = { json: value.json, answer: base(value) };
      try {
        return fromAnswer(await before.answer, draft);
      } catch (error) {
        return { head: { kind: "error", failure: thrownBy(error, HOST) }, draft };
      }
    },
  };

  async function fromPlugin(base: { plugin: string; handler: number }, draft: Draft): Promise<Omit<Below, "records">> {
    const { windowMs, sliceMs, budgetMs, callKey, signal } = request;
    const result = await invoke({
      windowMs,
      sliceMs,
      budgetMs,
      callKey,
      ...(signal === undefined ? {} : { signal }),
      kind: "base",
      plugin: base.plugin,
      handler: base.handler,
      args: [draft.value],
    });
    return result.ok ? fromAnswer(result.answer, draft) : { head: { kind: "error", failure: result.failure }, draft };
  }

  function fromAnswer(answer: Answer, draft: Draft): Omit<Below, "records"> {
    switch (answer.kind) {
      case "value":
        return { head: { kind: "value" }, draft: hasData(request.spec) ? splitData(answer.value) : { value: answer.value, data: null } };
      case "nothing":
        return { head: { kind: "value" }, draft };
      case "deny":
        return { head: { kind: "deny", plugin: HOST, reason: answer.reason }, draft };
      case "ask":
        return {
          head: { kind: "ask", plugin: HOST, reason: answer.reason },
          draft: answer.input === undefined ? draft : { value: answer.input, data: null },
        };
      case "respond":
        return { head: { kind: "respond", plugin: HOST, text: answer.text }, draft };
    }
  }
}

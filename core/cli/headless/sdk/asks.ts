import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { MortiseError } from "../../../../sdk/errors.ts";
import type { Asker, PromptAnswer, PromptRequest } from "../../../permission/permission.ts";
import type { Payload } from "../lines.ts";
import type { ToolNames } from "../tool-names.ts";
import type { Verdict } from "./inbound.ts";
import type { Mode } from "./modes.ts";

/** Permission requests to the other side, and its answers. */
export type Asks = {
  ask: Asker;
  mode(): Mode;
  /** Counts from the next request. */
  setMode(mode: Mode): void;
  /** False where no request with this id waits. */
  answer(requestId: string, verdict: Verdict): boolean;
  /** Nobody answers any more: what waits is denied, and what comes later. */
  close(): void;
  /** To whom requests go from here on. */
  connect(side: OtherSide): void;
};

export type OtherSide = {
  send(payload: Payload): Promise<void>;
  /** Whether yolo answers the call. */
  passesYolo(request: Pick<PromptRequest, "tool" | "input">): Promise<boolean>;
  /** Keeps what was allowed for the session. */
  keep(rules: PromptRequest["suggestions"]): Promise<void>;
  /** The other side denied a call and wants the run to stop. */
  onInterrupt(): void;
};

export function createAsks(first: Mode, names: ToolNames): Asks {
  let side: OtherSide | undefined;
  const waiting = new Map<string, (verdict: Verdict | undefined) => void>();
  let mode = first;
  let isClosed = false;
  let count = 0;

  return {
    async ask(request) {
      const to = side;
      if (isClosed || to === undefined || mode === "dontAsk") throw nobody();
      // A call that began in another mode is judged as if it had begun in this one.
      if (mode === "bypassPermissions" && request.reasons.length === 0 && (await to.passesYolo(request))) return { decision: "allow" };
      const requestId = `req_${++count}`;
      const said = Promise.withResolvers<Verdict | undefined>();
      waiting.set(requestId, said.resolve);
      const onAbort = () => {
        if (!waiting.delete(requestId)) return;
        said.resolve(undefined);
        void to.send({ type: "control_cancel_request", request_id: requestId });
      };
      request.signal.addEventListener("abort", onAbort, { once: true });
      try {
        if (request.signal.aborted) onAbort();
        else await to.send({ type: "control_request", request_id: requestId, request: toolRequest(request, names) });
        const verdict = await said.promise;
        if (verdict === undefined) throw nobody();
        if (verdict.behavior === "deny" && verdict.interrupts) to.onInterrupt();
        return await answerOf(verdict, request, names, to.keep);
      } finally {
        waiting.delete(requestId);
        request.signal.removeEventListener("abort", onAbort);
      }
    },
    mode: () => mode,
    setMode(next) {
      mode = next;
    },
    answer(requestId, verdict) {
      const resolve = waiting.get(requestId);
      waiting.delete(requestId);
      resolve?.(verdict);
      return resolve !== undefined;
    },
    close() {
      isClosed = true;
      for (const resolve of waiting.values()) resolve(undefined);
      waiting.clear();
    },
    connect(to) {
      side = to;
    },
  };
}

const Input = z.record(z.string(), z.unknown());

function nobody(): MortiseError {
  return new MortiseError("nobody_there");
}

function toolRequest({ tool, toolId, callerId = toolId, input, task, scopes, reasons, suggestions }: PromptRequest, names: ToolNames): object {
  return {
    subtype: "can_use_tool",
    tool_name: names(tool),
    input,
    tool_use_id: callerId,
    ...(task === undefined ? {} : { agent_id: task.id, agent_name: task.name }),
    scopes: scopes.map(({ kind, text, access, protected: isProtected }) => ({
      kind,
      text,
      ...(access === undefined ? {} : { access }),
      ...(isProtected === true ? { protected: true } : {}),
    })),
    ...(reasons.length === 0 ? {} : { reasons }),
    ...(suggestions.length === 0
      ? {}
      : {
          permission_suggestions: [
            {
              type: "addRules",
              rules: suggestions.map(({ tool: name, pattern }) => ({ toolName: names(name), ruleContent: pattern })),
              behavior: "allow",
              destination: "session",
            },
          ],
        }),
  };
}

async function answerOf(verdict: Verdict, request: PromptRequest, names: ToolNames, keep: OtherSide["keep"]): Promise<PromptAnswer> {
  if (verdict.behavior === "deny") {
    const guidance = verdict.message?.trim() ?? "";
    return { decision: "deny", ...(guidance === "" ? {} : { guidance }) };
  }
  const { updatedInput } = verdict;
  if (updatedInput !== undefined && updatedInput !== null && !isDeepStrictEqual(updatedInput, request.input)) {
    const parsed = Input.safeParse(updatedInput);
    return parsed.success ? { decision: "allow", input: parsed.data } : { decision: "deny" };
  }
  // Only what was suggested can be kept, and all of it or nothing: less is not as much as was said.
  const isKept = ({ tool, pattern }: PromptRequest["suggestions"][number]) =>
    verdict.keeps.some(({ toolName, ruleContent }) => [tool, names(tool)].includes(toolName) && ruleContent === pattern);
  if (request.suggestions.length === 0 || !request.suggestions.every(isKept)) return { decision: "allow" };
  await keep(request.suggestions).catch(() => {});
  return { decision: "allow", remember: "session" };
}

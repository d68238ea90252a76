import { MortiseError } from "../../../sdk/errors.ts";
import type { RunContext } from "../agent-state.ts";
import { compact } from "./compact.ts";

/**
 * Does what compactions were asked for while the run works, as one. A failure is told and stops nothing: the conversation is as it was.
 * @param goesOn Whether the model is asked again in any case.
 */
export async function takeCompactions(run: RunContext, goesOn: boolean): Promise<void> {
  const wanted = run.agent.compactions.splice(0).filter(({ signal }) => !signal.aborted);
  if (wanted.length === 0) return;
  const words = wanted.map((each) => each.words.trim()).filter((each) => each !== "");
  try {
    const outcome = await compact(run, "manual", words.join("\n"), goesOn);
    run.signal.throwIfAborted();
    for (const { settle } of wanted) settle({ summed: outcome === "done", error: null });
  } catch (cause) {
    // Those that asked for it get their own try once this run is over.
    run.signal.throwIfAborted();
    const failure = cause instanceof MortiseError ? cause : new MortiseError("internal", { seen: String(cause), cause });
    run.emit({ type: "notice", code: "not_compacted", text: `The conversation was not summed up. ${failure.message}` });
    for (const { settle } of wanted) settle({ summed: false, error: { code: failure.code, message: failure.message } });
  }
}

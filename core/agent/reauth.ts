import type { Model } from "../models/model.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { RunContext } from "./agent-state.ts";
import { MAX_REAUTHS } from "./limits.ts";
import { tellStatus } from "./told.ts";

/** A model whose key was refused, and what its provider said. */
export type AuthRequired = { model: Model; message: string };

/** Gets a person to mend a key. Answers the model with a key that may work; undefined where there is none. */
export type Reauth = (asked: AuthRequired, signal: AbortSignal) => Promise<Model | undefined>;

/** Waits for another key where somebody can be asked for one, twice in a row at most. Undefined where the failure stands. Throws the run's reason after a stop. */
export async function askForKey(run: RunContext, { model, message }: AuthRequired): Promise<Model | undefined> {
  const { agent } = run;
  if (agent.reauth === undefined || run.reauths >= MAX_REAUTHS) return undefined;
  run.reauths++;
  run.emit({ type: "notice", code: "auth_required", text: `${model.id} cannot be asked, since its provider refused the key: ${message}` });
  tellStatus(agent, 1);
  try {
    const mended = await unlessAborted(agent.reauth({ model, message }, run.signal), run.signal);
    if (mended !== undefined && agent.model === model) agent.model = mended;
    return mended;
  } catch {
    run.signal.throwIfAborted();
    return undefined;
  } finally {
    tellStatus(agent, -1);
  }
}

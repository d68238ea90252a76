import { freeze, isObject } from "./primordials.ts";
import { given, request } from "./requests.ts";

/** Opens a conversation with a model: the host keeps it, and here is what asks for it. */
export async function openSession(asked: unknown): Promise<unknown> {
  const opened = await request("agent.session", given(asked));
  if (!isObject(opened)) return opened;
  const { id, model, tier, clamped } = opened;
  return freeze({
    id,
    model,
    tier,
    clamped,
    prompt: (text: unknown) => request("agent.prompt", given(id, text)),
    start: (text: unknown, options?: unknown) => request("agent.start", given(id, text, options)),
    close: () => request("agent.close", given(id)),
  });
}

import type { PromptEvent } from "../host-types.ts";
import type { RunContext } from "./agent-state.ts";

/** Tells a run what a person is asked about its calls. Returns its undo. */
export function watchPrompts(run: RunContext, child: string | null): () => void {
  const { host, sessionId, taskId } = run.agent;
  return host.agent.watchPrompts(sessionId, (event) => {
    // What a subagent's calls ask is told by its own run.
    if (event.request.task?.id !== taskId) return;
    // One after another, since what is asked is cleaned first.
    run.prompted = run.prompted.then(() => told(run, event, child)).catch(() => {});
  });
}

async function told(run: RunContext, event: PromptEvent, child: string | null): Promise<void> {
  const { id: askId, tool, toolId, callerId = toolId, scopes } = event.request;
  if (event.kind === "answered") return run.emit({ type: "permission_answered", askId, decision: event.decision, source: "person" });
  const texts = await run.agent.host.agent.clean(scopes.map(({ text }) => text));
  run.emit({ type: "permission_asked", askId, toolId: callerId, tool, scopes: texts, child });
}

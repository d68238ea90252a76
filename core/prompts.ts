import type { PromptEvent } from "./host-types.ts";
import type { Asker } from "./permission/permission.ts";

/** Lets whoever drives a session see what a person is asked about its calls, whoever asks. */
export function watchedPrompts(): {
  watched(ask: Asker): Asker;
  /** Returns its undo. */
  watch(sessionId: string, watch: (event: PromptEvent) => void): () => void;
} {
  const watching = new Map<string, Set<(event: PromptEvent) => void>>();
  const tell = (event: PromptEvent) => {
    for (const watch of watching.get(event.request.sessionId) ?? []) watch(event);
  };
  return {
    watched: (ask) => async (request) => {
      tell({ kind: "asked", request });
      let decision: "allow" | "deny" = "deny";
      try {
        const answer = await ask(request);
        if (answer?.decision === "allow") decision = "allow";
        return answer;
      } finally {
        tell({ kind: "answered", request, decision });
      }
    },
    watch(sessionId, watch) {
      const all = watching.get(sessionId) ?? new Set();
      watching.set(sessionId, all.add(watch));
      return () => {
        all.delete(watch);
        if (all.size === 0) watching.delete(sessionId);
      };
    },
  };
}

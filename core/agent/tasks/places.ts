/** Places for subagents at work: one line for all sessions and hosts of the process. */
export type Places = {
  inside(): number;
  /** Resolves with the way out once fewer than `most` are inside. Rejects with the signal's reason where that fires first. */
  enter(most: number, signal: AbortSignal): Promise<() => void>;
};

export function createPlaces(): Places {
  type Waiting = { most: number; go(): void };
  const waiting = new Set<Waiting>();
  let inside = 0;

  const letIn = () => {
    for (const each of waiting) {
      if (inside >= each.most) continue;
      waiting.delete(each);
      inside++;
      each.go();
    }
  };
  const wayOut = () => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside--;
      letIn();
    };
  };
  return {
    inside: () => inside,
    async enter(most, signal) {
      signal.throwIfAborted();
      const turn = Promise.withResolvers<void>();
      const entry: Waiting = { most, go: turn.resolve };
      const giveUp = () => {
        if (waiting.delete(entry)) turn.reject(signal.reason);
      };
      waiting.add(entry);
      signal.addEventListener("abort", giveUp, { once: true });
      letIn();
      try {
        await turn.promise;
      } finally {
        signal.removeEventListener("abort", giveUp);
      }
      return wayOut();
    },
  };
}

/** The line of this process. */
export const places: Places = createPlaces();

import { MortiseError } from "../sdk/errors.ts";
import type { ActiveCall } from "./active-call.ts";

/** The calls that are under way. */
export type Calls = {
  /** Notes a call until the returned function is called. After `close` it is cancelled at once. */
  begin(call: ActiveCall): () => void;
  /** Cancels the calls there are. Resolves when they have ended, after `graceMs` at most. */
  end(graceMs: number): Promise<void>;
  /** The same, and cancels every call that begins later. */
  close(graceMs: number): Promise<void>;
};

export function createCalls(): Calls {
  const running = new Map<ActiveCall, PromiseWithResolvers<void>>();
  let closed = false;

  const end = async (graceMs: number): Promise<void> => {
    if (running.size === 0) return;
    for (const call of running.keys()) cancel(call);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all([...running.values()].map(({ promise }) => promise)), grace]);
    clearTimeout(timer);
  };

  return {
    begin(call) {
      const over = Promise.withResolvers<void>();
      running.set(call, over);
      if (closed) cancel(call);
      return () => {
        running.delete(call);
        over.resolve();
      };
    },
    end,
    close(graceMs) {
      closed = true;
      return end(graceMs);
    },
  };
}

function cancel(call: ActiveCall): void {
  call.deadline.cancel(new MortiseError("cancelled", { seen: "the host closes" }));
}

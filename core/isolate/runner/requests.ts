import type { Live } from "./residents.ts";

/** A request of plugin code that the host has not answered; `key` names it in the isolate. */
export type Asked = { live: Live; key: number; call: number };

export type Requests = {
  open(asked: Asked): number;
  /** The request, which is answered now; undefined where its isolate is gone. */
  take(request: number): Asked | undefined;
  dropAll(live: Live): void;
};

export function createRequests(): Requests {
  const open = new Map<number, Asked>();
  let last = 0;
  return {
    open(asked) {
      open.set(++last, asked);
      return last;
    },
    take(request) {
      const asked = open.get(request);
      open.delete(request);
      return asked;
    },
    dropAll(live) {
      for (const [request, asked] of open) if (asked.live === live) open.delete(request);
    },
  };
}

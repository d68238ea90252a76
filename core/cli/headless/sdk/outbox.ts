import type { Payload } from "../lines.ts";
import type { Sink } from "../sink.ts";
import { uuid7 } from "../uuid7.ts";

/** Lines to the other side, each with the session and an id of its own. */
export type Outbox = {
  send(payload: Payload, sessionId: string): Promise<void>;
  unread(): boolean;
};

export function createOutbox(sink: Pick<Sink, "line" | "unread">): Outbox {
  return {
    send: (payload, sessionId) => sink.line({ ...payload, session_id: sessionId, uuid: uuid7() }),
    unread: sink.unread,
  };
}

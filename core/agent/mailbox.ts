import { MortiseError } from "../../sdk/errors.ts";

/** What jobs and plugins report to a session: shown to the model with its next request. */
export type Mailbox = {
  /** Keeps a text; the oldest goes where there are too many. `wake` lets an idle session start a run for it. */
  put(text: string, wake: boolean): void;
  /** Takes all there is, in order. */
  drain(): string[];
  /** Whether something waits that a session should be woken for. */
  wantsWake(): boolean;
};

const MOST = 100;
const boxes = new Map<string, Mailbox>();

/** @param onWake Told where something came that a session should be woken for. */
export function createMailbox(onWake: () => void): Mailbox {
  let texts: string[] = [];
  let wakes = false;
  return {
    put(text, wake) {
      wakes ||= wake;
      texts = [...texts, text].slice(-MOST);
      if (wake) onWake();
    },
    drain() {
      const all = texts;
      texts = [];
      wakes = false;
      return all;
    },
    wantsWake: () => wakes,
  };
}

/** Makes a session reachable for `notify` in this process. Returns its undo. */
export function openMailbox(sessionId: string, mailbox: Mailbox): () => void {
  boxes.set(sessionId, mailbox);
  return () => {
    if (boxes.get(sessionId) === mailbox) boxes.delete(sessionId);
  };
}

/** Reports something to a session of this process. @throws MortiseError `no_session` where it is not live. */
export function notify(sessionId: string, text: string, { wake = false }: { wake?: boolean } = {}): void {
  const mailbox = boxes.get(sessionId);
  if (mailbox === undefined) throw new MortiseError("no_session", { seen: sessionId });
  mailbox.put(text, wake);
}

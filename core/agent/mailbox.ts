import { MortiseError } from "../../sdk/errors.ts";

/** `delivered` once the model has answered with it in view. */
export type Outcome = "delivered" | "not_delivered";

export type Mail = { text: string; tell(outcome: Outcome): void };

type Kept = Mail & { isStale(): boolean };

/** What jobs and plugins report to a session: shown to the model with its next request. */
export type Mailbox = {
  /**
   * Keeps a text; the oldest goes where there are too many. `wake` lets an idle session start a run for it. What is stale by the time it would be
   * taken is not delivered. Never rejects.
   */
  put(text: string, wake: boolean, isStale?: () => boolean): Promise<Outcome>;
  /** Takes all there is, in order. Whoever takes it tells what became of it. */
  drain(): Mail[];
  /** Whether something waits that a session should be woken for. */
  wantsWake(): boolean;
  /** Nothing of what waits is delivered any more. */
  close(): void;
};

const MOST = 100;
const boxes = new Map<string, Mailbox>();

/** @param onWake Told where something came that a session should be woken for. */
export function createMailbox(onWake: () => void): Mailbox {
  let mails: Kept[] = [];
  let wakes = false;
  let closed = false;
  const dropStale = () => {
    for (const mail of mails.filter(({ isStale }) => isStale())) mail.tell("not_delivered");
    mails = mails.filter(({ isStale }) => !isStale());
  };
  return {
    put: (text, wake, isStale = () => false) =>
      new Promise((tell) => {
        if (closed) return tell("not_delivered");
        wakes ||= wake;
        mails.push({ text, tell, isStale });
        if (mails.length > MOST) mails.shift()?.tell("not_delivered");
        if (wake) onWake();
      }),
    drain() {
      dropStale();
      const all = mails;
      mails = [];
      wakes = false;
      return all;
    },
    wantsWake() {
      dropStale();
      wakes &&= mails.length > 0;
      return wakes;
    },
    close() {
      closed = true;
      wakes = false;
      for (const { tell } of mails.splice(0)) tell("not_delivered");
    },
  };
}

/** Makes a session reachable for `notify` in this process. Returns its undo. */
export function openMailbox(sessionId: string, mailbox: Mailbox): () => void {
  boxes.set(sessionId, mailbox);
  return () => {
    if (boxes.get(sessionId) === mailbox) boxes.delete(sessionId);
  };
}

/**
 * Reports something to a session of this process, and says whether the model saw it.
 * @throws MortiseError `no_session` at once where it is not live.
 */
export function notify(sessionId: string, text: string, { wake = false }: { wake?: boolean } = {}): Promise<Outcome> {
  const mailbox = boxes.get(sessionId);
  if (mailbox === undefined) throw new MortiseError("no_session", { seen: sessionId });
  return mailbox.put(text, wake);
}

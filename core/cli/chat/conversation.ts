import type { Image } from "../../../sdk/api.ts";
import type { Backend, Run, RunLimits, UserInput } from "../../agent/backend.ts";
import type { RunEnd, SessionEvent } from "../../agent/session-event.ts";
import type { ChatEvent } from "./state/reduce.ts";

export type ConversationOptions = {
  backend: Backend;
  limits: Partial<RunLimits>;
  emit(event: ChatEvent): void;
  /** Gets a message that the run ended without, for the person to send again. */
  giveBack(text: string): void;
};

/** What a person says, and the runs it causes. */
export type Conversation = {
  /** Starts a run, or tells the one that works. */
  send(text: string, images?: readonly Image[]): void;
  /** Follows a run that nobody asked for. */
  follow(run: Run): void;
  compact(words: string): Promise<void>;
  /** Whether there was anything to cancel, that was not cancelled before. */
  cancel(): boolean;
  isWorking(): boolean;
  /** Resolves once nothing works any more. */
  idle(): Promise<void>;
};

type Message = { id: number; text: string; images?: readonly Image[] };

/** Ends after which what was said meanwhile is sent anew; after others a person decides. */
const goesOn: ReadonlySet<RunEnd> = new Set(["end_turn", "compact", "max_tokens", "dropped"]);

export function createConversation({ backend, limits, emit, giveBack }: ConversationOptions): Conversation {
  let current: Run | undefined;
  let cancelled: Run | undefined;
  let last: Promise<void> = Promise.resolve();
  let ids = 0;
  /** Sent, and not in the history yet: in the order in which they come there. */
  let waiting: Message[] = [];

  const see = (event: SessionEvent) => {
    if (event.type === "message_dropped" || (event.type === "user_message" && event.source === "terminal")) waiting = waiting.slice(1);
    emit(event);
  };
  const follow = (run: Run) => {
    current = run;
    last = last.then(() => read(run));
  };
  async function read(run: Run): Promise<void> {
    let reason: RunEnd = "error";
    try {
      for await (const event of run.events) {
        if (event.type === "done") reason = event.reason;
        see(event);
      }
    } catch (error) {
      emit({ type: "said", tone: "error", text: error instanceof Error ? error.message : String(error) });
    }
    if (current === run) current = undefined;
    const left = waiting;
    waiting = [];
    for (const { id } of left) emit({ type: "unsent", id });
    if (goesOn.has(reason)) for (const { text, images } of left) send(text, images);
    else if (left.length > 0) giveBack(left.map(({ text }) => text).join("\n\n"));
  }
  function send(text: string, images: readonly Image[] = []): void {
    const message = { id: ++ids, text };
    const input: UserInput = { text, source: "terminal", ...(images.length === 0 ? {} : { images }) };
    waiting = [...waiting, { ...message, images }];
    emit({ type: "sent", ...message });
    // What comes of it is seen in the events, and by what waits still in the end.
    if (current !== undefined) void current.say(input);
    else follow(backend.run(input, limits));
  }

  return {
    send,
    follow,
    async compact(words) {
      const run = backend.compact(words);
      if (current === undefined) {
        follow(run);
        return last;
      }
      for await (const event of run.events) if (event.type === "done" && event.error !== null) throw new Error(event.error.message);
    },
    cancel() {
      const isNew = current !== cancelled;
      cancelled = current;
      current?.cancel();
      return current !== undefined && isNew;
    },
    isWorking: () => current !== undefined,
    async idle() {
      while (current !== undefined) await last;
    },
  };
}

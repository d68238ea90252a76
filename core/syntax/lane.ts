import type { Socket } from "node:net";
import { createChannel } from "../frames/channel.ts";
import { Frame } from "./frames.ts";

/** A request on its way. `alone`: the process ended while it was at this and at others, so that it is asked again with no other beside it. */
export type Asked = {
  id: number;
  request: ParserRequest;
  limitMs: number;
  alone: boolean;
  resolve(reply: Reply): void;
};
/** What is asked; the text travels beside it, and a query is told once. */
export type ParserRequest = { text: string; query?: string } & Readonly<Record<string, unknown>>;
export type Reply = { frame: unknown } | { failed: string };

/** A thread of the process: answers one group of requests after another. */
export type Lane = {
  /** Whether it was started, and has said that it is there. */
  state: "new" | "starting" | "ready";
  /** The requests it is at; none while it has nothing to do. */
  at: readonly Asked[];
  /** Gives it requests. */
  give(requests: readonly Asked[]): void;
  /** From now on it is heard too late after so many milliseconds. */
  watch(limitMs: number): void;
  rest(): void;
};

export type LaneEvents = {
  onReady(): void;
  /** Its answers in the order of the requests. `fatal`: the process is of no more use. */
  onAnswers(asked: readonly Asked[], replies: readonly Reply[], fatal: boolean): void;
  onLost(why: string): void;
};

const MOST_QUERIES = 64;

export function createLane(socket: Socket, events: LaneEvents): Lane {
  let timer: NodeJS.Timeout | undefined;
  const queries = new Map<string, number>();
  const channel = createChannel(
    socket,
    ({ head, parts }) => hear(Frame.safeParse(JSON.parse(head)), parts),
    () => events.onLost("the parser gave an answer that is none"),
  );
  const lane: Lane = {
    state: "new",
    at: [],
    give(requests) {
      lane.at = requests;
      const heads = requests.map(({ id, request: { text: _, query, ...rest } }) => ({
        ...rest,
        id,
        query: query === undefined ? query : told(query),
      }));
      channel.send(
        { requests: heads },
        requests.map(({ request }) => request.text),
      );
      lane.watch(Math.max(...requests.map(({ limitMs }) => limitMs)));
    },
    watch(limitMs) {
      clearTimeout(timer);
      timer = setTimeout(() => events.onLost(lane.state === "ready" ? "it takes too long to parse" : "the parser could not be started"), limitMs);
    },
    rest: () => clearTimeout(timer),
  };
  return lane;

  /** Queries are long and few: a thread is told each of them once, with a number. */
  function told(query: string): { number: number; source?: string } {
    const number = queries.get(query);
    if (number !== undefined) return { number };
    if (queries.size === MOST_QUERIES) queries.clear();
    queries.set(query, queries.size);
    return { number: queries.size - 1, source: query };
  }

  function hear(frame: ReturnType<typeof Frame.safeParse>, parts: readonly string[]): void {
    const { at } = lane;
    if (frame.success && "ready" in frame.data && lane.state !== "ready") {
      lane.state = "ready";
      lane.rest();
      events.onReady();
      return;
    }
    const answers = frame.success && "answers" in frame.data ? frame.data.answers : [];
    if (lane.state !== "ready" || answers.length === 0 || answers.length !== at.length || answers.some(({ id }, index) => id !== at[index]!.id)) {
      events.onLost("the parser gave an answer that is none");
      return;
    }
    lane.at = [];
    lane.rest();
    const replies = answers.map((answer, index): Reply => {
      if (answer.failed !== undefined) return { failed: answer.failed };
      return { frame: parts.length === 0 ? answer : { ...answer, captures: parts[index] } };
    });
    events.onAnswers(
      at,
      replies,
      answers.some(({ fatal }) => fatal === true),
    );
  }
}

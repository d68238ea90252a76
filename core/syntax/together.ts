import type { Asked, ParserRequest } from "./lane.ts";

/** Requests that go to a thread, and come back, together: short ones, and long ones. */
const MOST = { short: 16, long: 4 };
const SHORT_CHARS = 1_000;
/** Long texts that go together have so many characters at most, or are one. */
const MOST_CHARS = 256_000;

/**
 * How many of the first that wait go to a thread together: each message that a thread waits for costs as much as it takes to parse a short text. Of long
 * texts a thread takes its share and no more, and only where they are asked the same: what one is stuck in keeps no other query waiting.
 */
export function together(waiting: readonly Asked[], threads: number): number {
  const [first] = waiting;
  if (first === undefined || first.alone) return Math.min(waiting.length, 1);
  if (isShort(first)) return count(waiting.slice(0, MOST.short), isShort);
  let chars = 0;
  const share = Math.min(MOST.long, Math.max(1, Math.floor(waiting.length / threads)));
  return count(waiting.slice(0, share), (each) => {
    chars += each.request.text.length;
    return each === first || (!each.alone && chars <= MOST_CHARS && isAskedTheSame(each.request, first.request));
  });
}

const isShort = ({ request, alone }: Asked) => !alone && request.text.length <= SHORT_CHARS;

function isAskedTheSame(one: ParserRequest, other: ParserRequest): boolean {
  return one.query !== undefined && ["query", "language", "mask", "mend"].every((key) => one[key] === other[key]);
}

function count(list: readonly Asked[], fits: (each: Asked) => boolean): number {
  const end = list.findIndex((each) => !fits(each));
  return end === -1 ? list.length : end;
}

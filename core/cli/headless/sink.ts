import type { Stdio } from "../stdio.ts";

/** Writes to standard output one thing at a time, so that none gets into the middle of another. */
export type Sink = {
  text(text: string): Promise<void>;
  /** One JSON value on one line. */
  line(value: object): Promise<void>;
  /** Whether nobody reads any more. */
  unread(): boolean;
};

export function createSink(stdio: Pick<Stdio, "write" | "unread">): Sink {
  let last: Promise<void> = Promise.resolve();
  const text = (written: string) => {
    last = last.then(() => stdio.write(written));
    return last;
  };
  return { text, line: (value) => text(`${JSON.stringify(value)}\n`), unread: stdio.unread };
}

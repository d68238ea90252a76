/** What a program prints leaves as it comes, so that it is there also where the program, its isolate or the whole runner then ends. */
export type Prints = {
  /** False once it is too much. */
  print(text: string): boolean;
  flush(): void;
};

const MAX_CHARS = 8_000_000;
const PENDING_CHARS = 65_536;
/** Milliseconds that a text waits at most for more to leave with it; the first ones do not wait. */
const WAIT_MS = 1;
const FIRST = 100;

export function createPrints(send: (text: string) => void): Prints {
  let pending = "";
  let chars = 0;
  let count = 0;
  let sentAt = 0;
  let scheduled = false;

  const flush = (): void => {
    if (pending === "") return;
    const text = pending;
    pending = "";
    sentAt = performance.now();
    send(text);
  };
  return {
    print(text) {
      const room = MAX_CHARS - chars;
      chars += text.length;
      pending += room >= text.length ? text : text.slice(0, Math.max(room, 0));
      if (++count <= FIRST || pending.length > PENDING_CHARS || performance.now() - sentAt > WAIT_MS) flush();
      else if (!scheduled) {
        scheduled = true;
        setImmediate(() => {
          scheduled = false;
          flush();
        });
      }
      return chars <= MAX_CHARS;
    },
    flush,
  };
}

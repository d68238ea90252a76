export type Channel<T> = {
  push(value: T): void;
  end(): void;
  /** For one reader. What was pushed before it came is there. One that stops reading gets nothing more, and nothing is kept for it. */
  values: AsyncIterable<T>;
};

/** Hands values from whoever makes them to one reader, who never slows the maker down. */
export function createChannel<T>(): Channel<T> {
  let waiting: T[] = [];
  let next = 0;
  let over = false;
  let left = false;
  let wake: (() => void) | undefined;

  const notify = () => {
    wake?.();
    wake = undefined;
  };
  async function* read(): AsyncGenerator<T> {
    try {
      for (;;) {
        while (next < waiting.length) yield waiting[next++] as T;
        waiting = [];
        next = 0;
        if (over) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      left = true;
      waiting = [];
    }
  }
  return {
    push(value) {
      if (over || left) return;
      waiting.push(value);
      notify();
    },
    end() {
      over = true;
      notify();
    },
    values: { [Symbol.asyncIterator]: read },
  };
}

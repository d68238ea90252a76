/** Texts of one call that stay with the host, so that megabytes do not go into an isolate and back out of it. */
export type HeldTexts = {
  /** Keeps a text that is in parts; undefined where there is too much already. */
  hold(parts: readonly string[]): string | undefined;
  /** The parts of a text. */
  take(id: string): readonly string[] | undefined;
  clear(): void;
};

/** What is held for one call, in characters. */
const MOST_CHARS = 32 * 1024 * 1024;

export function createHeldTexts(): HeldTexts {
  const texts = new Map<string, readonly string[]>();
  let chars = 0;
  return {
    hold(parts) {
      let more = 0;
      for (const part of parts) more += part.length;
      if (chars + more > MOST_CHARS) return undefined;
      chars += more;
      const id = String(texts.size + 1);
      texts.set(id, parts);
      return id;
    },
    take: (id) => texts.get(id),
    clear() {
      texts.clear();
      chars = 0;
    },
  };
}

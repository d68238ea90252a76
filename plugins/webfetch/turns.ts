/** Characters of a page that are worked on in one turn: some ten milliseconds' work. */
export const CHUNK_CHARS = 32_768;

/** What comes after is another turn, with a slice of its own. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

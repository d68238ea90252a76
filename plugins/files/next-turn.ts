/** What comes after it has a slice of processor time of its own. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}

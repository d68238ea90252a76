/** A path as it stands in a sentence: one with line ends or other control characters in it is quoted. */
export function shownPath(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}

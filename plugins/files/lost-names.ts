/** What is said where a name has bytes in it that are no UTF-8: no text leads to such a file. */
export function lostNames(names: readonly string[]): string[] {
  return names.some((name) => name.includes("\ufffd"))
    ? ["\ufffd in a name stands for bytes that are no UTF-8: no tool reaches such a file, but a command can rename it"]
    : [];
}

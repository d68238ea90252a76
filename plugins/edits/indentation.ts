/**
 * What indents new lines as a file does whose lines differ in indentation alone from those that were asked for.
 * Undefined where one indentation stands for two, so that nobody knows what is meant.
 */
export function reindent(asked: readonly string[], found: readonly string[]): ((line: string) => string) | undefined {
  const known = new Map<string, string>();
  for (const [index, line] of asked.entries()) {
    if (line.trim() === "") continue;
    const [own, theirs] = [indentOf(line), indentOf(found[index] ?? "")];
    if ((known.get(own) ?? theirs) !== theirs) return undefined;
    known.set(own, theirs);
  }
  return (line) => {
    if (line.trim() === "") return line;
    const indent = indentOf(line);
    const base = longestStart(indent, known);
    return base === undefined ? line : known.get(base)! + line.slice(base.length);
  };
}

function longestStart(indent: string, known: ReadonlyMap<string, string>): string | undefined {
  for (let length = indent.length; length >= 0; length--) if (known.has(indent.slice(0, length))) return indent.slice(0, length);
  return undefined;
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)![0];
}

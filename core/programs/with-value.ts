/** Statements that may be tried from the end: more than one only where a text of several lines looks like some. */
const ATTEMPTS = 3;

/** `line`, counted from 1, is the one that `RETURN` was put into, in front of what stood in it. */
export type WithValue = { script: string; line?: number };

export const RETURN = "return (";

/**
 * The script with the expression it ends with given back, where it ends with one. `script` is as the compiler prints it: one async function,
 * its statements two spaces in, each ended by a semicolon. `check` throws for what is no script.
 */
export async function withValue(script: string, check: (script: string) => Promise<void>): Promise<WithValue> {
  const lines = script.trimEnd().split("\n");
  const end = lines.length - 1;
  if (lines[end] !== "});") return { script };
  let attempts = 0;
  for (let at = end - 1; at > 0 && attempts < ATTEMPTS; at--) {
    const first = lines[at] ?? "";
    if (!/^ {2}[^\s})\]]/.test(first)) continue;
    attempts++;
    const statement = lines.slice(at, end).join("\n").slice(2);
    if (!statement.endsWith(";") || /^(?:return|throw|const|let|var|if|for|while|do|try|switch|function|class|async function)\b/.test(statement))
      return { script };
    const made = [...lines.slice(0, at), `  ${RETURN}${statement.slice(0, -1)});`, ...lines.slice(end)].join("\n");
    try {
      await check(made);
      return { script: made, line: at + 1 };
    } catch {
      // It was no expression, or the middle of one.
    }
  }
  return { script };
}

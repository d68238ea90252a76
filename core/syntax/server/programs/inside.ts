import { onlyValue, type Word } from "../word.ts";
import { type Call, takesApart } from "./call.ts";
import { roles } from "./judge.ts";
import type { Findings } from "./program.ts";

/** One side is in the container: `name:path`. */
export function copyOut({ operands }: Call, found: Findings): void {
  const isInside = (word: Word) => /^[^/.][^/]*:/.test(word.text);
  for (const [at, word] of operands.entries()) {
    if (isInside(word)) continue;
    if (onlyValue(word) !== "-") found.file(at === operands.length - 1 ? "write" : "read", word, true);
  }
}

/** The command stands behind `--`, or where that is left out behind the first operand. */
export function behindDashes(call: Call, found: Findings): void {
  const dashes = call.words.findIndex((word) => word.text === "--");
  const behind =
    dashes === -1
      ? takesApart({ ...call.program, stops: true, operands: "_" }, call.path, call.words, call.input).rest
      : call.words.slice(dashes + 1);
  if (dashes === -1) roles(call, found);
  if (behind.length > 0) found.command(behind, { elsewhere: true });
}

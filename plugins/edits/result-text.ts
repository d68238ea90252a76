import { shownPath } from "../files/shown-path.ts";
import type { How } from "./find-text.ts";

const NAMED_LINES = 10;

/** What was passed over, in the words of a sentence about old_string. */
const passedOver: Readonly<Record<Exclude<How, "exact">, string>> = {
  "blanks at line ends": "once blanks at the ends of lines were passed over",
  indentation: "once the indentation was passed over; new_string was indented alike",
  blanks: "once blanks were passed over; new_string was indented alike",
  "line numbers": "once the line numbers were taken off",
  escapes: "once a level of escapes was taken off, from new_string too",
};

/** Which lines of a file an edit changed, and how they were found. */
export function editedText(path: string, lines: readonly number[], how: How): string {
  const named = lines.slice(0, NAMED_LINES).join(", ");
  const more = lines.length > NAMED_LINES ? ` and ${lines.length - NAMED_LINES} more` : "";
  const where = lines.length === 1 ? `at line ${named}` : `at ${lines.length} places, lines ${named}${more}`;
  return `Edited ${shownPath(path)} ${where} (${foundText(how)}).`;
}

export function foundText(how: How): string {
  return how === "exact" ? "exact match" : `old_string was found ${passedOver[how]}`;
}

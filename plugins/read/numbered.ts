import type { Window } from "mortise/sdk";
import { cutEnd, cutLine } from "../files/cut-line.ts";
import { PICTURED, pictured } from "../files/pictured.ts";
import { utf8Bytes } from "../files/utf8-bytes.ts";

export type NumberedOptions = {
  /** The number of the first line. */
  offset: number;
  maxLineChars: number;
  maxLines: number;
  /** Bytes of UTF-8 that the lines may take; what does not fit is left for the next read. */
  maxBytes: number;
};

/** A window of a file as `N: text` lines, with a last line that says where it stands in the file and how to go on. */
export function numbered({ lines, totalLines, invalid }: Window, { offset, maxLineChars, maxLines, maxBytes }: NumberedOptions): string {
  const shown: string[] = [];
  let bytes = 0;
  let isPictured = false;
  for (const [index, line] of lines.slice(0, maxLines).entries()) {
    const cut = cutLine(line, maxLineChars);
    const visible = pictured(cut);
    const head = `${offset + index}: `;
    bytes += head.length + utf8Bytes(visible) + 1;
    if (bytes > maxBytes && shown.length > 0) break;
    isPictured ||= visible !== cut;
    shown.push(head + visible);
  }
  const last = offset + shown.length - 1;
  const [only = ""] = shown.length === 1 ? lines : [];
  const end = cutEnd(only, maxLineChars);
  const notes = [
    ...(end < only.length ? [`line ${offset} is longer; go on in it with column ${end + 1}`] : []),
    ...(last < totalLines ? [`lines ${offset}-${last} of ${totalLines}; go on with offset ${last + 1}`] : []),
    ...(last >= totalLines && offset > 1 ? [`lines ${offset}-${last} of ${totalLines}, the last one included`] : []),
    ...(invalid ? ["bytes that are no UTF-8 are shown as \ufffd"] : []),
    ...(isPictured ? [PICTURED] : []),
  ];
  return [...shown, ...(notes.length === 0 ? [] : ["", `[${notes.join("; ")}]`])].join("\n");
}

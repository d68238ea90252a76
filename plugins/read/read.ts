import { definePlugin, type ToolCall, type ToolInputs, type ToolResult, type Window } from "mortise/sdk";
import { failed, refused } from "../files/failed.ts";
import { missingFile } from "../files/missing-file.ts";
import { shownPath } from "../files/shown-path.ts";
import { utf8Bytes } from "../files/utf8-bytes.ts";
import { HEAD_BYTES, imageType, isUtf16 } from "./image.ts";
import { createInstructions, nothing } from "./instructions.ts";
import { numbered } from "./numbered.ts";
import { MORE_CHARS, partOfLine, windowOfLine } from "./part-of-line.ts";

type Input = ToolInputs["read"];

/** With the last lines that say where the window stands, this is what the host shows of one result. */
const MAX_LINES = 1_998;
const MAX_BYTES = 50_000;
const MAX_LINE_CHARS = 500;
/** What models take of one image: 5 MB as base64. */
const MAX_IMAGE_BYTES = 3_750_000;

const description = `Reads a text file as lines "N: text". At most ${MAX_LINES} lines come at once, and of a line its first ${MAX_LINE_CHARS} characters; the last line of the answer says with which \`offset\` to go on. Give \`offset\` and \`limit\` for a part of a long file, \`offset\` and \`column\` for a part of a long line. PNG, JPEG, GIF and WebP files come as images.`;

export default definePlugin({ name: "read", description: "Reads text files and images", capabilities: { fs_read: true } }, (api) => {
  const instructions = createInstructions(api);
  // What is shown once is gone from the model's sight after these.
  api.createAutocmd("CompactionDone", ({ data }) => instructions.forget(data.taskId ?? data.sessionId));
  api.createAutocmd("SessionReset", ({ data }) => instructions.forget(data.sessionId));

  api.registerTool<Input>({
    name: "read",
    kind: "read",
    capability: "fs_read",
    description,
    input: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, maxLength: 4096, description: "The file, absolute or relative to the working directory" },
        offset: { type: "integer", minimum: 1, maximum: 1_000_000_000, description: "The first line to read, counted from 1" },
        limit: { type: "integer", minimum: 1, description: "How many lines to read" },
        column: {
          type: "integer",
          minimum: 1,
          maximum: 1_000_000_000,
          description: "The first character to read of line `offset`, which is then read alone",
        },
      },
      required: ["path"],
    },
    aliases: { file_path: "path", filePath: "path" },
    scopes: { path: "path", access: "read" },
    run: (input, call) => read(input, call).catch(refused),
  });

  const read = async ({ path, offset = 1, limit = MAX_LINES, column }: Input, call: ToolCall): Promise<ToolResult | string> => {
    const isCompact = call.outputMode === "compact";
    const wanted =
      column === undefined
        ? { offset, limit: Math.min(limit, MAX_LINES), maxLineChars: MAX_LINE_CHARS + MORE_CHARS }
        : windowOfLine({ offset, column });
    const [opened, more] = await Promise.all([
      api.fs
        .readWindow(path, wanted)
        .then((window) => ({ window }))
        .catch((error: unknown) => ({ error })),
      isCompact && column === undefined ? instructions.claim(path, call.taskId ?? call.sessionId) : nothing,
    ]);
    if ("error" in opened) {
      more.release();
      return explained(path, opened.error);
    }
    const { window } = opened;
    const other = await withoutLines(path, offset, window);
    if (other !== undefined) {
      more.release();
      return other;
    }
    if (column !== undefined) {
      return partOfLine(window, { offset, column }) ?? failed(`Line ${offset} of ${shownPath(path)} ends before column ${column}.`);
    }
    const { text } = more;
    const room = isCompact
      ? { maxLines: MAX_LINES - (text === "" ? 0 : text.split("\n").length + 1), maxBytes: MAX_BYTES - utf8Bytes(text) }
      : { maxLines: MAX_LINES, maxBytes: Number.POSITIVE_INFINITY };
    const lines = numbered(window, { offset, maxLineChars: MAX_LINE_CHARS, ...room });
    return text === "" ? lines : `${lines}\n\n${text}`;
  };

  /** The answer for a file that has no lines to show. */
  const withoutLines = async (path: string, offset: number, { encoding, bytes, totalLines }: Window): Promise<ToolResult | string | undefined> => {
    const name = shownPath(path);
    if (encoding === "binary") return binary(path, bytes);
    if (totalLines === 0) return `[${name} is empty]`;
    return offset > totalLines ? failed(`${name} has ${lineCount(totalLines)}, so line ${offset} is past its end.`) : undefined;
  };

  /** Why a path cannot be read as text. */
  const explained = async (path: string, error: unknown): Promise<ToolResult> => {
    const stat = await api.fs.stat(path);
    if (stat === undefined) return failed(await missingFile(api, path));
    if (stat.type === "folder") return failed(`${shownPath(path)} is a folder, not a file. \`list\` shows what is in it.`);
    if (stat.type === "other") return failed(`${shownPath(path)} is no regular file.`);
    throw error;
  };

  const binary = async (path: string, bytes: number): Promise<ToolResult> => {
    const name = shownPath(path);
    const head = atob(await api.fs.readBytes(path, { length: HEAD_BYTES }));
    const type = imageType(head);
    if (type === undefined) {
      if (!isUtf16(head)) return failed(`${name} is a binary file of ${bytes} bytes.`);
      return failed(`${name} is UTF-16 text, and only UTF-8 is read. \`iconv -f utf-16 -t utf-8\` makes a copy that can be.`);
    }
    const kind = `${type.name} image of ${bytes} bytes`;
    if (bytes > MAX_IMAGE_BYTES)
      return failed(`${name} is a ${kind}, and at most ${MAX_IMAGE_BYTES} can be shown. Make a smaller copy and read that.`);
    const base64 = await api.fs.readBytes(path, { length: MAX_IMAGE_BYTES });
    return { text: `[${name} is a ${kind}]`, images: [{ mediaType: type.mediaType, base64 }] };
  };
});

function lineCount(lines: number): string {
  return lines === 1 ? "one line" : `${lines} lines`;
}

import { definePlugin, type ToolResult } from "mortise/sdk";
import { closeNames } from "./close-names.ts";
import { HEAD_BYTES, imageType, isUtf16 } from "./image.ts";
import { createInstructions } from "./instructions.ts";
import { numbered, utf8Bytes } from "./numbered.ts";
import { shownPath } from "./shown-path.ts";

type Input = { path: string; offset?: number; limit?: number };

/** With the last lines that say where the window stands, this is what the host shows of one result. */
const MAX_LINES = 1_998;
const MAX_BYTES = 50_000;
const MAX_LINE_CHARS = 500;
/** What models take of one image: 5 MB as base64. */
const MAX_IMAGE_BYTES = 3_750_000;

const description = `Reads a text file as lines "N: text". At most ${MAX_LINES} lines come at once, and of a line its first ${MAX_LINE_CHARS} characters; the last line of the answer says with which \`offset\` to go on. Give \`offset\` and \`limit\` for a part of a long file. PNG, JPEG, GIF and WebP files come as images.`;

export default definePlugin({ name: "read", description: "Reads text files and images", capabilities: { fs_read: true } }, (api) => {
  const instructions = createInstructions(api);
  // What is shown once is gone from the model's sight after these.
  api.createAutocmd(["CompactionDone", "SessionReset"], ({ data }) => instructions.forget(data.sessionId));

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
      },
      required: ["path"],
    },
    aliases: { file_path: "path", filePath: "path" },
    scopes: ({ path }) => ({ scopes: [{ kind: "path", path, access: "read" }] }),
    run: async (input, call) => {
      if (call.outputMode === "full") return read(input, "", Number.POSITIVE_INFINITY).catch(refused);
      const { text, release } = await instructions.claim(input.path, call.sessionId);
      const result = await read(input, text, MAX_BYTES - utf8Bytes(text)).catch(refused);
      if (typeof result !== "string") release();
      return typeof result === "string" && text !== "" ? `${result}\n\n${text}` : result;
    },
  });

  /** A text where the file has some. `more` is what will be shown below it. */
  const read = async ({ path, offset = 1, limit = MAX_LINES }: Input, more: string, maxBytes: number): Promise<ToolResult | string> => {
    const name = shownPath(path);
    const stat = await api.fs.stat(path);
    if (stat === undefined) return failed(await missing(path));
    if (stat.type === "folder") return failed(`${name} is a folder, not a file.`);
    if (stat.type === "other") return failed(`${name} is no regular file.`);
    const most = MAX_LINES - (more === "" ? 0 : more.split("\n").length + 1);
    // One character more than is shown tells that there is more.
    const window = await api.fs.readWindow(path, { offset, limit: Math.min(limit, most), maxLineChars: MAX_LINE_CHARS + 1 });
    if (window.encoding === "binary") return binary(path, window.bytes);
    if (window.totalLines === 0) return `[${name} is empty]`;
    if (offset > window.totalLines) return failed(`${name} has ${lineCount(window.totalLines)}, so line ${offset} is past its end.`);
    return numbered(window, { offset, maxLineChars: MAX_LINE_CHARS, maxBytes });
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

  const missing = async (path: string): Promise<string> => {
    const [, folder = "", name = ""] = /^(.*\/)?([^/]*)\/*$/s.exec(path) ?? [];
    const entries = await api.fs.list(folder === "" ? "." : folder).catch(() => []);
    const names = entries.map((entry) => entry.name);
    if (names.includes(name)) return `${shownPath(path)} is a link to nothing.`;
    const close = closeNames(name, names);
    const hint = close.length === 0 ? "" : ` Close to it: ${close.map((entry) => shownPath(folder + entry)).join(", ")}.`;
    return `There is no file ${shownPath(path)}.${hint}`;
  };
});

function failed(text: string): ToolResult {
  return { text, isError: true };
}

/** What the host refuses with is a sentence. */
function refused(error: unknown): ToolResult {
  if (error instanceof Error && "code" in error) return failed(error.message);
  throw error;
}

function lineCount(lines: number): string {
  return lines === 1 ? "one line" : `${lines} lines`;
}

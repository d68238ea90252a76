import { definePlugin, type ToolResult } from "mortise/sdk";
import { closeNames } from "./close-names.ts";
import { numbered } from "./numbered.ts";

type Input = { path: string; offset?: number; limit?: number };

/** With the last lines that say where the window stands, this is what the host shows of one result. */
const MAX_LINES = 1_998;
const MAX_BYTES = 50_000;
const MAX_LINE_CHARS = 500;

const description = `Reads a text file as lines "N: text". At most ${MAX_LINES} lines come at once, and of a line its first ${MAX_LINE_CHARS} characters; the last line of the answer says with which \`offset\` to go on. Give \`offset\` and \`limit\` for a part of a long file.`;

export default definePlugin({ name: "read", description: "Reads text files", capabilities: { fs_read: true } }, (api) => {
  api.registerTool<Input>({
    name: "read",
    kind: "read",
    capability: "fs_read",
    description,
    input: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "The file, absolute or relative to the working directory" },
        offset: { type: "integer", minimum: 1, description: "The first line to read, counted from 1" },
        limit: { type: "integer", minimum: 1, description: "How many lines to read" },
      },
      required: ["path"],
    },
    aliases: { file_path: "path" },
    scopes: ({ path }) => ({ scopes: [{ kind: "path", path, access: "read" }] }),
    run: (input, call) => read(input, call.outputMode === "full" ? Number.POSITIVE_INFINITY : MAX_BYTES).catch(refused),
  });

  const read = async ({ path, offset = 1, limit = MAX_LINES }: Input, maxBytes: number): Promise<ToolResult | string> => {
    const stat = await api.fs.stat(path);
    if (stat === undefined) return failed(await missing(path));
    if (stat.type === "folder") return failed(`${path} is a folder, not a file.`);
    if (stat.type === "other") return failed(`${path} is no regular file.`);
    // One character more than is shown tells that there is more.
    const window = await api.fs.readWindow(path, { offset, limit: Math.min(limit, MAX_LINES), maxLineChars: MAX_LINE_CHARS + 1 });
    if (window.encoding === "binary") return failed(`${path} is a binary file of ${window.bytes} bytes.`);
    if (window.totalLines === 0) return `[${path} is empty]`;
    if (offset > window.totalLines) return failed(`${path} has ${lineCount(window.totalLines)}, so line ${offset} is past its end.`);
    return numbered(window, { offset, maxLineChars: MAX_LINE_CHARS, maxBytes });
  };

  const missing = async (path: string): Promise<string> => {
    const [, folder = "", name = ""] = /^(.*\/)?([^/]*)\/*$/.exec(path) ?? [];
    const entries = await api.fs.list(folder === "" ? "." : folder).catch(() => []);
    const names = entries.map((entry) => entry.name);
    if (names.includes(name)) return `${path} is a link to nothing.`;
    const close = closeNames(name, names);
    const hint = close.length === 0 ? "" : ` Close to it: ${close.map((entry) => folder + entry).join(", ")}.`;
    return `There is no file ${path}.${hint}`;
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

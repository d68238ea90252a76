import { definePlugin, type ToolInputs, type ToolResult } from "mortise/sdk";
import { failed, refused } from "../files/failed.ts";
import { shownPath } from "../files/shown-path.ts";
import { measure } from "./measure.ts";

type Input = ToolInputs["write"];

/** What the host writes at once. */
const MAX_BYTES = 16 * 1024 * 1024;

const description = `Writes a file: makes it, with the folders above it, or replaces all of its content. To change a part of a file use \`edit\`. Replacing a file is refused where it changed on the disk since it was read.`;

export default definePlugin({ name: "write", description: "Writes files", capabilities: { fs_read: true, fs_write: true }, memoryMb: 128 }, (api) => {
  api.registerTool<Input>({
    name: "write",
    kind: "edit",
    capability: "fs_write",
    description,
    input: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, maxLength: 4096, description: "The file, absolute or relative to the working directory" },
        content: { type: "string", description: "All that the file will hold" },
      },
      required: ["path", "content"],
    },
    aliases: { file_path: "path", filePath: "path", contents: "content" },
    audiences: ["main", "general", "code"],
    writes: "path",
    scopes: { path: "path", access: "write" },
    run: (input) => write(input).catch(refused),
  });

  const write = async ({ path, content }: Input): Promise<ToolResult> => {
    const name = shownPath(path);
    if (content.length > MAX_BYTES)
      return failed(`The content has ${content.length} characters, and at most ${MAX_BYTES} bytes are written at once.`);
    const { bytes, lines } = measure(content);
    if (bytes > MAX_BYTES) return failed(`The content has ${bytes} bytes, and at most ${MAX_BYTES} are written at once.`);
    if (!content.isWellFormed()) return failed("The content has half of a character in it (a lone surrogate), which no file can hold.");
    const before = await api.fs.stat(path);
    if (before?.type === "folder" || path.endsWith("/")) return failed(`${name} is a folder, not a file.`);
    if (before?.type === "other") return failed(`${name} is no regular file, so nothing was written.`);
    if (before === undefined) await api.fs.mkdir(folderOf(path));
    await api.fs.write(path, content, { ifVersion: before?.version ?? null });
    const size = `${counted(lines, "line")}, ${counted(bytes, "byte")}`;
    const text = before === undefined ? `Made ${name}: ${size}.` : `Replaced ${name}: ${size}, ${counted(before.bytes, "byte")} before.`;
    return { text, data: { bytes, isNew: before === undefined } };
  };
});

/** With its last character, so that the folder of `/a` is `/` and that of a link is where it leads. */
function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : ".";
}

function counted(count: number, of: string): string {
  return `${count} ${of}${count === 1 ? "" : "s"}`;
}

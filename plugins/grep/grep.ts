import { definePlugin, type SearchResult, type ToolInputs, type ToolResult } from "mortise/sdk";
import { failed } from "../files/failed.ts";
import { PICTURED } from "../files/pictured.ts";
import { shownPath } from "../files/shown-path.ts";
import { unsearched } from "../files/unsearched.ts";
import { notes } from "./notes.ts";

type Input = ToolInputs["grep"];

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;
const MAX_CONTEXT = 1_000;
/** A file with a NUL in its first so many bytes is no text. */
const SNIFF_BYTES = 65_536;
/** With the last line, this is what the host shows of one result. */
const COMPACT_BYTES = 50_000;
/** What code gets; a little below what the host takes from one result. */
const FULL_BYTES = 8_000_000;

const description = `Searches the text of files by a regular expression, in the syntax of ripgrep, and shows the newest files first.

- \`output\` is \`content\` (lines as "N: text", with a heading for each file), \`files\` (their paths alone) or \`count\` (matching lines per file).
- \`path\` is a folder, searched with all below it, or one file. \`include\` narrows it down: \`*.ts\`, \`*.{c,h}\`, \`src/**/*.py\`, \`!*.min.js\`.
- A pattern that holds \`\\n\`, \`(?s)\` or \`(?m)\` may match over several lines. Look-around and references back are not known. With \`literal\` the pattern is the text itself.
- Ignored files, \`.git\`, binary files and files of more than 256 MB are left out, and files that hold secrets, as \`.env\`, unless \`path\` names the file.`;

const contextField = (what: string) => ({ type: "integer", minimum: 0, maximum: MAX_CONTEXT, description: `Lines to show ${what} each match` });

export default definePlugin({ name: "grep", description: "Searches in files", capabilities: { fs_read: true }, memoryMb: 128 }, (api) => {
  api.registerTool<Input>({
    name: "grep",
    kind: "search",
    capability: "fs_read",
    timeoutMs: 60_000,
    description,
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, maxLength: 100_000, description: "The regular expression" },
        path: { type: "string", minLength: 1, maxLength: 4096, description: "The folder or file to search; the working directory unless said" },
        include: { type: "string", minLength: 1, maxLength: 1_000, description: "A glob of the files to search" },
        output: { type: "string", enum: ["content", "files", "count"], description: "What to show; content unless said" },
        context: contextField("before and after"),
        context_before: contextField("before"),
        context_after: contextField("after"),
        ignore_case: { type: "boolean", description: "Whether capitals make no difference" },
        literal: { type: "boolean", description: "Take the pattern for plain text" },
        multiline: { type: "boolean", description: "Whether a match may go over line ends; unless said, as the pattern needs it" },
        ignored: { type: "boolean", description: "Search ignored files too" },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_LIMIT,
          description: `How many matching lines to show, or files; ${DEFAULT_LIMIT} unless said`,
        },
      },
      required: ["pattern"],
    },
    aliases: { glob: "include", output_mode: "output" },
    scopes: { path: "path", access: "read", otherwise: "." },
    run: (input, call) =>
      grep(input, call.outputMode === "full" ? FULL_BYTES : COMPACT_BYTES).catch((error: unknown) =>
        unsearched(api, { path: input.path ?? ".", isFolder: false }, error),
      ),
  });

  const grep = async (input: Input, maxBytes: number): Promise<ToolResult> => {
    const { pattern, path = ".", include, output = "content", context = 0, literal, multiline, ignored, limit = DEFAULT_LIMIT } = input;
    if (pattern.includes("\0") || include?.includes("\0")) {
      return failed("The pattern holds a NUL character. Text has none; write \\x00 to find one.");
    }
    const result = await api.fs.search({
      pattern,
      path,
      output: output === "content" ? "lines" : output === "count" ? "counts" : "files",
      letterCase: input.ignore_case ? "insensitive" : "sensitive",
      before: input.context_before ?? context,
      after: input.context_after ?? context,
      limit,
      maxBytes,
      pictures: true,
      hold: true,
      ...(include === undefined ? {} : { include }),
      ...(literal === undefined ? {} : { literal }),
      ...(multiline === undefined ? {} : { multiline }),
      ...(ignored === undefined ? {} : { ignored }),
    });
    const isText = result.totalFiles > 0 || input.path === undefined || !(await holdsNul(input.path));
    return answer(result, [
      ...(isText ? notes(result, { output, ignored: ignored ?? false }) : [`${shownPath(path)} is no text, so it was not searched`]),
      ...(result.pictured ? [PICTURED] : []),
    ]);
  };

  /** Whether a path leads to a file that is passed over since it is no text. */
  const holdsNul = async (path: string): Promise<boolean> => {
    const stat = await api.fs.stat(path);
    return stat?.type === "file" && atob(await api.fs.readBytes(path, { length: SNIFF_BYTES })).includes("\0");
  };
});

function answer(result: SearchResult, said: readonly string[]): ToolResult {
  const { text, held, shownFiles, shownMatches, totalMatches, totalFiles, leftOut, ended } = result;
  const last = `[${said.join("; ")}]`;
  return {
    text: text === "" && held === undefined ? last : `${text}\n\n${last}`,
    ...(held === undefined ? {} : { held }),
    isError: ended === "timeout" || ended === "cancelled",
    data: { shownFiles, shownMatches, totalFiles, totalMatches, leftOut, ended },
    ...(ended === "timeout" || ended === "cancelled" ? { cut: ended } : {}),
  };
}

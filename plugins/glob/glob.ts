import { definePlugin, type ToolInputs, type ToolResult } from "mortise/sdk";
import { failed } from "../files/failed.ts";
import { lostNames } from "../files/lost-names.ts";
import { noRules } from "../files/no-rules.ts";
import { shownPath } from "../files/shown-path.ts";
import { unsearched } from "../files/unsearched.ts";
import { startOf } from "./start-of.ts";

type Input = ToolInputs["glob"];

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

const description = `Finds files by a pattern of their paths, the newest first: \`*\` and \`?\` within a name, \`**\` for folders in between, \`[a-z]\`, \`{a,b}\`. As \`**/*.ts\`, \`src/*/index.{js,ts}\`. Ignored files and \`.git\` are left out, names with a dot in front are not, and links are not followed.`;

export default definePlugin({ name: "glob", description: "Finds files by name", capabilities: { fs_read: true } }, (api) => {
  api.registerTool<Input>({
    name: "glob",
    kind: "search",
    capability: "fs_read",
    timeoutMs: 30_000,
    description,
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, maxLength: 1_000, description: "The pattern, from `path` or absolute" },
        path: { type: "string", minLength: 1, maxLength: 4096, description: "The folder to look in; the working directory unless said" },
        ignored: { type: "boolean", description: "Find ignored files too" },
        limit: { type: "integer", minimum: 1, maximum: MAX_LIMIT, description: `How many files to show; ${DEFAULT_LIMIT} unless said` },
      },
      required: ["pattern"],
    },
    // What is looked through is the folder that the pattern begins in.
    scopes: ({ pattern, path }) => ({ scopes: [{ kind: "path", path: startOf(pattern, path), access: "read" }] }),
    run: (input) => glob(input).catch((error: unknown) => unsearched(api, { path: startOf(input.pattern, input.path), isFolder: true }, error)),
  });

  const glob = async ({ pattern, path = ".", ignored = false, limit = DEFAULT_LIMIT }: Input): Promise<ToolResult> => {
    if (pattern.includes("\0")) return failed("The pattern holds a NUL character, which no name of a file has. Leave it out.");
    const { files, more, leftOut, unreadable, oddRules, ended } = await api.fs.find(pattern, { path, ignored, limit });
    const notes = [
      ...(files.length === 0 ? [`no files found${hint(pattern, ignored)}`] : []),
      ...(more ? [`the newest ${files.length} files; there are more: narrow the pattern down, or raise \`limit\``] : []),
      ...(ended === "done" ? [] : [`${ended === "timeout" ? "the time was up" : "cancelled"} before all was looked at, so there may be more`]),
      ...lostNames(files),
      ...(unreadable === 0 ? [] : [`${unreadable === 1 ? "1 folder" : `${unreadable} folders`} could not be opened`]),
      ...(oddRules === undefined ? [] : [noRules(oddRules)]),
      ...(leftOut === 0 ? [] : [`${leftOut === 1 ? "1 file is" : `${leftOut} files are`} not shown, since a rule denies it`]),
    ];
    const early = ended === "timeout" || ended === "cancelled";
    return {
      text: [...files.map(shownPath), ...(notes.length === 0 ? [] : [...(files.length === 0 ? [] : [""]), `[${notes.join("; ")}]`])].join("\n"),
      isError: early,
      data: { files: files.length, more, ended },
      ...(early ? { cut: ended } : {}),
    };
  };
});

function hint(pattern: string, ignored: boolean): string {
  if (!pattern.includes("**")) return `; \`**/${pattern.replace(/^.*\//, "")}\` looks in all folders below too`;
  return ignored ? "" : "; `ignored` finds ignored files too";
}

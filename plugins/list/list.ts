import { definePlugin, type ToolInputs, type ToolResult, type WalkedEntry } from "mortise/sdk";
import { lostNames } from "../files/lost-names.ts";
import { unsearched } from "../files/unsearched.ts";
import { entryLine } from "./entry-line.ts";

type Input = ToolInputs["list"];

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 2_000;
const MAX_DEPTH = 20;

const description = `Lists a folder: folders first, then files with their sizes. With \`depth\` the folders below are opened too, as a tree. Names with a dot in front are shown; \`.git\` and ignored entries are not, unless \`ignored\` is set. Links are shown with where they lead, and not followed.`;

export default definePlugin({ name: "list", description: "Lists folders", capabilities: { fs_read: true } }, (api) => {
  api.registerTool<Input>({
    name: "list",
    kind: "search",
    capability: "fs_read",
    timeoutMs: 30_000,
    description,
    input: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, maxLength: 4096, description: "The folder; the working directory unless said" },
        depth: { type: "integer", minimum: 1, maximum: MAX_DEPTH, description: "How many levels of folders to open; 1 unless said" },
        ignored: { type: "boolean", description: "Show ignored entries too" },
        limit: { type: "integer", minimum: 1, maximum: MAX_LIMIT, description: `How many entries to show; ${DEFAULT_LIMIT} unless said` },
      },
    },
    scopes: { path: "path", access: "read", otherwise: "." },
    run: (input) => list(input).catch((error: unknown) => unsearched(api, { path: input.path ?? ".", isFolder: true }, error)),
  });

  const list = async ({ path = ".", depth = 1, ignored = false, limit = DEFAULT_LIMIT }: Input): Promise<ToolResult> => {
    const { entries, more, cut, total, ended, ...hidden } = await api.fs.walk(path, { depth, ignored, limit });
    const notes = [
      ...(total === 0 && more === 0 ? ["no entries"] : []),
      ...(hasMore(entries, more) ? [`${total} entries are shown, those nearest to the folder; list a folder of it, or raise \`limit\``] : []),
      ...(cut ? ["the folder has so many entries that not all were looked at"] : []),
      ...(hidden.ignored === 0 ? [] : [`${hidden.ignored} ignored ${hidden.ignored === 1 ? "entry is" : "entries are"} not shown`]),
      ...(hidden.leftOut === 0 ? [] : [`${hidden.leftOut} ${hidden.leftOut === 1 ? "entry is" : "entries are"} not shown, since a rule denies it`]),
      ...lostNames(entries.map(({ name }) => name)),
      ...(ended === "done" ? [] : ["ended before all was looked at"]),
    ];
    const lines = [...entries.flatMap(entryLine), ...(more === 0 ? [] : [`... ${more} more`])];
    return {
      text: [...lines, ...(notes.length === 0 ? [] : [...(lines.length === 0 ? [] : [""]), `[${notes.join("; ")}]`])].join("\n"),
      data: { entries: total, ...hidden, ended },
    };
  };
});

function hasMore(entries: readonly WalkedEntry[], more: number): boolean {
  return more > 0 || entries.some((entry) => entry.more > 0);
}

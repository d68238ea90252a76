import { definePlugin, type ToolInputs, type ToolResult } from "mortise/sdk";
import { failed, refused } from "../files/failed.ts";
import { utf8Bytes } from "../files/utf8-bytes.ts";
import { closePaths } from "./close-paths.ts";
import { description } from "./description.ts";
import { MAX_CONTENT_BYTES, MAX_NOTES, MAX_TAGS, type Note, noteLine, noteOf, PATH, TAG } from "./note.ts";

type Input = ToolInputs["memory"];

const MAX_PATH_CHARS = 128;
/** Names of notes that a model reads with every request. */
const NAMED = 50;

export default definePlugin({ name: "memory", description: "Keeps notes about a project" }, (api) => {
  const store = api.projectStore;

  api.registerTool<Input>({
    name: "memory",
    kind: "other",
    description,
    input: {
      type: "object",
      properties: {
        command: { enum: ["list", "read", "write", "delete"], description: "What to do" },
        path: {
          type: "string",
          minLength: 1,
          maxLength: MAX_PATH_CHARS,
          description: "The note, as build or api/errors.md; for all commands but list",
        },
        content: { type: "string", maxLength: MAX_CONTENT_BYTES, description: "The whole note, for write: it replaces what was there" },
        tags: {
          type: "array",
          maxItems: MAX_TAGS,
          items: { type: "string", minLength: 1, maxLength: 32 },
          description: "Words to find it by, for write; for list, only notes with one of them are listed",
        },
      },
      required: ["command"],
    },
    describe: async () => named(await paths()),
    scopes: "none",
    run: (input) => run(input).catch(refused),
  });

  const run = async ({ command, path, content, tags = [] }: Input): Promise<ToolResult | string> => {
    const bad = tags.find((tag) => !TAG.test(tag));
    if (bad !== undefined) return failed(`${JSON.stringify(bad)} is no tag. A tag is a word of letters, digits, and . _ -`);
    if (command === "list") return list(tags);
    if (path === undefined) return failed(`memory ${command} needs the path of a note. memory list names those there are.`);
    if (!PATH.test(path))
      return failed(
        `${JSON.stringify(path)} is no path of a note. Give names of letters, digits, and . _ - with / between, none of which begins with a dot.`,
      );
    if (command === "read") return read(path);
    if (command === "delete") return remove(path);
    if (content === undefined || content.trim() === "") return failed("memory write needs the content of the note. memory delete removes one.");
    return write(path, content, [...new Set(tags)]);
  };

  const paths = async (): Promise<string[]> => (await store.keys()).filter((key) => PATH.test(key)).sort();

  const list = async (tags: readonly string[]): Promise<string> => {
    const all = await Promise.all((await paths()).map(async (path) => ({ path, note: noteOf(await store.get(path)) })));
    const lines = all.flatMap(({ path, note }) => {
      if (note === undefined || (tags.length > 0 && !tags.some((tag) => note.tags.includes(tag)))) return [];
      return [noteLine(path, note)];
    });
    if (lines.length > 0) return lines.join("\n");
    return tags.length === 0
      ? "There are no notes about this project."
      : `No note has ${tags.length === 1 ? "the tag" : "one of the tags"} ${tags.join(", ")}.`;
  };

  const read = async (path: string): Promise<ToolResult | string> => {
    const note = noteOf(await store.get(path));
    if (note === undefined) return failed(await missing(path));
    const tags = note.tags.length === 0 ? "" : `; tags: ${note.tags.join(", ")}`;
    return `${note.content}\n\n[written ${note.at.slice(0, 10)}${tags}]`;
  };

  const write = async (path: string, content: string, tags: string[]): Promise<ToolResult | string> => {
    const bytes = utf8Bytes(content);
    if (bytes > MAX_CONTENT_BYTES) return failed(`The note has ${bytes} bytes, and ${MAX_CONTENT_BYTES} fit. Shorten it, or make it two.`);
    const before = await paths();
    const replaces = before.includes(path);
    if (!replaces && before.length >= MAX_NOTES) return failed(`There are ${MAX_NOTES} notes, and no more fit. Delete what is of no use any more.`);
    await store.set(path, { content: content.toWellFormed(), tags, at: new Date().toISOString() } satisfies Note);
    return `${replaces ? "Replaced" : "Wrote"} ${path}, ${bytes} ${bytes === 1 ? "byte" : "bytes"}.`;
  };

  const remove = async (path: string): Promise<ToolResult | string> => {
    if (!(await paths()).includes(path)) return failed(await missing(path));
    await store.delete(path);
    return `Deleted ${path}.`;
  };

  const missing = async (path: string): Promise<string> => {
    const all = await paths();
    const close = closePaths(path, all);
    const hint =
      close.length > 0 ? ` Close to it: ${close.join(", ")}.` : all.length === 0 ? " There are none yet." : " memory list names those there are.";
    return `There is no note ${path}.${hint}`;
  };
});

function named(paths: readonly string[]): string {
  if (paths.length === 0) return "There are no notes about this project yet.";
  const more = paths.length > NAMED ? `, and ${paths.length - NAMED} more` : "";
  return `Notes about this project: ${paths.slice(0, NAMED).join(", ")}${more}.`;
}

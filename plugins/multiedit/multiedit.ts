import { definePlugin, type ToolInputs, type ToolResult } from "mortise/sdk";
import { applyEdit, type Edit } from "../edits/apply-edit.ts";
import { diff } from "../edits/diff.ts";
import { changeFile } from "../edits/opened-file.ts";
import { foundText } from "../edits/result-text.ts";
import { failed } from "../files/failed.ts";
import { nextTurn } from "../files/next-turn.ts";
import { shownPath } from "../files/shown-path.ts";

type Input = ToolInputs["multiedit"];

const MAX_EDITS = 200;

const description = `Makes several edits in one file, all of them or none. They are made in order, each in what the ones before left. For the fields of an edit see \`edit\`.`;

export default definePlugin(
  { name: "multiedit", description: "Makes several edits in one file", capabilities: { fs_read: true, fs_write: true }, memoryMb: 256 },
  (api) => {
    api.registerTool<Input>({
      name: "multiedit",
      kind: "edit",
      capability: "fs_write",
      description,
      input: {
        type: "object",
        properties: {
          path: { type: "string", minLength: 1, maxLength: 4096, description: "The file, absolute or relative to the working directory" },
          edits: {
            type: "array",
            minItems: 1,
            maxItems: MAX_EDITS,
            description: "The replacements, in order: each is made in what the ones before it left",
            items: {
              type: "object",
              properties: {
                old_string: { type: "string", minLength: 1, description: "The text to replace" },
                new_string: { type: "string", description: "What comes in its place" },
                replace_all: { type: "boolean", description: "Replace it everywhere in the file" },
              },
              required: ["old_string", "new_string"],
            },
          },
        },
        required: ["path", "edits"],
      },
      aliases: { file_path: "path", filePath: "path" },
      audiences: ["main", "general", "code"],
      writes: "path",
      scopes: { path: "path", access: "write" },
      run: ({ path, edits }) => changeFile(api, path, (before) => applyAll(before, edits, shownPath(path))),
    });
  },
);

async function applyAll(before: string, edits: readonly Edit[], name: string): Promise<{ text: string; result: ToolResult } | ToolResult> {
  let text = before;
  let plain: { before: string; after: string } | undefined;
  const notes: string[] = [];
  let places = 0;
  for (const [index, edit] of edits.entries()) {
    const applied = applyEdit(text, edit);
    if (!applied.ok) return failed(`${name}: edits[${index}]: ${applied.problem} Nothing was changed.`);
    text = applied.text;
    plain = { before: plain?.before ?? applied.plain.before, after: applied.plain.after };
    places += applied.lines.length;
    if (applied.how !== "exact") notes.push(`edits[${index}]: ${foundText(applied.how)}.`);
    await nextTurn();
  }
  if (plain === undefined || text === before) return failed(`${name}: the edits undo each other. Nothing was changed.`);
  const count = `${edits.length} ${edits.length === 1 ? "edit" : "edits"}, ${places} ${places === 1 ? "place" : "places"}`;
  const lines = [`Edited ${name}: ${count}${notes.length === 0 ? ", exact matches" : ""}.`, ...notes, diff(plain.before, plain.after)];
  return { text, result: { text: lines.join("\n"), data: { edits: edits.length, places } } };
}

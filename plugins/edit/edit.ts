import { definePlugin, type ToolInputs } from "mortise/sdk";
import { applyEdit } from "../edits/apply-edit.ts";
import { diff } from "../edits/diff.ts";
import { changeFile } from "../edits/opened-file.ts";
import { editedText } from "../edits/result-text.ts";
import { failed } from "../files/failed.ts";
import { nextTurn } from "../files/next-turn.ts";
import { shownPath } from "../files/shown-path.ts";

type Input = ToolInputs["edit"];

const description = `Replaces \`old_string\` by \`new_string\` in a file, and shows what changed. Read the file first, and copy \`old_string\` from it without the line numbers.

- \`old_string\` has to be there once: add lines around it until it is, or set \`replace_all\`.
- Where it is not there as written, whole lines are found that differ from it in blanks alone; the answer says so.
- Line ends stay as they are in the file. An empty \`new_string\` deletes.
- The edit is refused where the file changed on the disk since it was read.`;

export default definePlugin(
  { name: "edit", description: "Replaces text in files", capabilities: { fs_read: true, fs_write: true }, memoryMb: 256 },
  (api) => {
    api.registerTool<Input>({
      name: "edit",
      kind: "edit",
      capability: "fs_write",
      description,
      input: {
        type: "object",
        properties: {
          path: { type: "string", minLength: 1, maxLength: 4096, description: "The file, absolute or relative to the working directory" },
          old_string: { type: "string", minLength: 1, description: "The text to replace" },
          new_string: { type: "string", description: "What comes in its place" },
          replace_all: { type: "boolean", description: "Replace it everywhere in the file" },
        },
        required: ["path", "old_string", "new_string"],
      },
      aliases: {
        file_path: "path",
        filePath: "path",
        old_str: "old_string",
        oldString: "old_string",
        new_str: "new_string",
        newString: "new_string",
        replaceAll: "replace_all",
      },
      audiences: ["main", "general", "code"],
      writes: "path",
      scopes: { path: "path", access: "write" },
      run: ({ path, ...edit }) =>
        changeFile(api, path, async (before) => {
          const applied = applyEdit(before, edit);
          if (!applied.ok) return failed(`${shownPath(path)}: ${applied.problem}`);
          const { text, plain, how, lines } = applied;
          await nextTurn();
          return {
            text,
            result: {
              text: `${editedText(path, lines, how)}\n${diff(plain.before, plain.after)}`,
              data: { how, lines: lines.slice(0, 100), places: lines.length },
            },
          };
        }),
    });
  },
);

import { definePlugin } from "mortise/sdk";

type Input = { path: string; offset?: number; limit?: number };

const MAX_LINES = 2_000;
const MAX_LINE_CHARS = 500;

export default definePlugin({ name: "read", description: "Reads files.", capabilities: { fs_read: true } }, (api) => {
  api.registerTool<Input>({
    name: "read",
    kind: "read",
    capability: "fs_read",
    description: "Reads a text file, as numbered lines. `offset` is the first line, from 1; `limit` how many. Long lines are cut.",
    aliases: { file_path: "path" },
    input: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "The file" },
        offset: { type: "integer", minimum: 1, description: "The first line to read" },
        limit: { type: "integer", minimum: 0, description: `How many lines; 0 is as many as are shown at once, ${MAX_LINES}` },
      },
      required: ["path"],
    },
    scopes: ({ path }) => ({ scopes: [{ kind: "path", path, access: "read" }] }),
    run: async ({ path, offset = 1, limit = 0 }) => {
      const wanted = limit === 0 ? MAX_LINES : Math.min(limit, MAX_LINES);
      const window = await api.fs.readWindow(path, { offset, limit: wanted, maxLineChars: MAX_LINE_CHARS });
      const lines = window.lines.map((line, i) => `${offset + i}: ${line}`);
      return { text: lines.join("\n") };
    },
  });
});

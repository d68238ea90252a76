import { definePlugin, type ToolInputs } from "mortise/sdk";
import { failed } from "../files/failed.ts";
import { oneLine } from "../files/one-line.ts";
import { dropped, shown, type Todo } from "./todos.ts";

type Input = ToolInputs["todo_write"];

const MAX_TODOS = 100;
const MAX_CHARS = 500;
/** Sessions whose lists are remembered; the longest unused is forgotten first. */
const MAX_SESSIONS = 100;

const description = `Writes the list of what is to be done in this session; the list that is given replaces the one before. For work of three steps or more, so that nothing is forgotten and the user sees how far it is.

- Write it when the work begins, and again whenever an item begins or ends.
- Keep one item \`in_progress\` at a time. Mark it \`completed\` as soon as it is done and checked, not before.
- Items that are not wanted any more become \`cancelled\`. An empty list clears it.`;

export default definePlugin({ name: "todo_write", description: "Keeps a list of what is to be done" }, (api) => {
  const lists = new Map<string, Todo[]>();

  api.registerTool<Input>({
    name: "todo_write",
    kind: "other",
    description,
    input: {
      type: "object",
      properties: {
        todos: {
          type: "array",
          maxItems: MAX_TODOS,
          description: "All items, in order",
          items: {
            type: "object",
            properties: {
              content: { type: "string", minLength: 1, maxLength: MAX_CHARS, pattern: "\\S", description: "What is to be done, in a few words" },
              status: { enum: ["pending", "in_progress", "completed", "cancelled"], description: "pending unless said" },
              priority: { enum: ["high", "medium", "low"], description: "medium unless said" },
            },
            required: ["content"],
          },
        },
      },
      required: ["todos"],
    },
    audiences: ["main", "research", "general"],
    scopes: "none",
    run: ({ todos }, { sessionId, taskId }) => {
      // A subagent has a list of its own.
      const owner = taskId ?? sessionId;
      const before = lists.get(owner) ?? [];
      const now = todos.map(({ content, status = "pending", priority = "medium" }) => ({ content: oneLine(content), status, priority }));
      if (now.some(({ content }) => content === "")) return failed("An item has no text that can be seen. Say in a few words what is to be done.");
      lists.delete(owner);
      if (now.length > 0) lists.set(owner, now);
      const [oldest] = lists.keys();
      if (lists.size > MAX_SESSIONS && oldest !== undefined) lists.delete(oldest);
      return { text: [shown(now), ...dropped(before, now)].join("\n\n"), data: { todos: now } };
    },
  });
});

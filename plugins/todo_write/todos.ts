export type Todo = {
  content: string;
  status: "pending" | "in_progress" | "completed" | "cancelled";
  priority: "high" | "medium" | "low";
};

const marks: Readonly<Record<Todo["status"], string>> = { pending: "[ ]", in_progress: "[>]", completed: "[x]", cancelled: "[-]" };

/** The list as a person and a model read it: an item a line, and how far it is. */
export function shown(todos: readonly Todo[]): string {
  if (todos.length === 0) return "The list is empty now.";
  const lines = todos.map(({ content, status, priority }) => `${marks[status]} ${content}${priority === "medium" ? "" : ` (${priority})`}`);
  const wanted = todos.filter(({ status }) => status !== "cancelled");
  const done = wanted.filter(({ status }) => status === "completed");
  return [...lines, `${done.length} of ${wanted.length} done`].join("\n");
}

/** Says which items are gone though they were neither done nor cancelled, since a list that is written anew loses them without a word. */
export function dropped(before: readonly Todo[], now: readonly Todo[]): string[] {
  const kept = new Set(now.map(({ content }) => content));
  const gone = before.filter(({ content, status }) => !kept.has(content) && (status === "pending" || status === "in_progress"));
  if (now.length === 0 || gone.length === 0) return [];
  return [`[gone from the list, and not done: ${gone.map(({ content }) => content).join("; ")}]`];
}

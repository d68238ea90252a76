/** A tool's name as the reader of the output knows it. */
export type ToolNames = (tool: string) => string;

/** The names that tools have here. */
export const ownNames: ToolNames = (tool) => tool;

/** The names that programs which speak the SDK protocol look for. Others stay as they are. */
export const sdkNames: ToolNames = (tool) => (Object.hasOwn(renamed, tool) ? (renamed[tool] ?? tool) : tool);

/** The name here of what somebody calls `Bash`, `TodoWrite` or `todo_write`. */
export function ownName(name: string): string {
  const known = own.get(name);
  if (known !== undefined || !/^[A-Z][A-Za-z]*$/.test(name)) return known ?? name;
  return name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

const renamed: Readonly<Record<string, string>> = {
  bash: "Bash",
  read: "Read",
  edit: "Edit",
  write: "Write",
  grep: "Grep",
  glob: "Glob",
  todo_write: "TodoWrite",
  webfetch: "WebFetch",
  websearch: "WebSearch",
  task: "Task",
  multiedit: "MultiEdit",
  code_execution: "CodeExecution",
  index: "Index",
  memory: "Memory",
  question: "Question",
  skill: "Skill",
};

const own = new Map(Object.entries(renamed).map(([tool, name]) => [name, tool]));

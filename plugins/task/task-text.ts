import type { AgentTask, ToolResult } from "mortise/sdk";
import { resultText } from "./result-text.ts";

/** What a model gets at once for a task that works on in the background. */
export function begunText({ id, name, model, tier, clamped }: AgentTask): ToolResult {
  const where = clamped ? ` It runs on ${model}, of tier ${tier}: there may be none stronger than your own.` : "";
  return {
    text: `The task "${name}" is at work in the background. Its id: ${id}.${where}\nIts end is reported to you by itself. Go on with what does not need it, or end your answer; \`task_wait\` waits for it.`,
    data: { id, status: "working", model, tier },
  };
}

/** One task as it stands. */
export function taskText(task: AgentTask): ToolResult {
  const { id, name, status, answer } = task;
  if (answer === undefined)
    return {
      text: `The task "${name}" (${id}) is still at work. Its end is reported to you by itself; \`task_wait\` waits for it.`,
      data: { id, status },
    };
  if (status !== "lost") return resultText(answer, task);
  const said = answer.text === "" ? "It had said nothing until then." : `What it had said until then:\n\n${answer.text}`;
  return {
    text: `The task ${id} is lost: the program ended while it worked. What it did may be half done. Give it again where it is still needed.\n${said}`,
    isError: true,
    data: { id, status },
  };
}

/** What there is instead of a task that is not there. */
export function missingText(id: string, known: readonly AgentTask[]): string {
  const rest = known.length === 0 ? "There is none in this session." : `Those of this session: ${known.map(nameText).join(", ")}.`;
  return `There is no task ${JSON.stringify(id)}: where an earlier process had it, it is lost. ${rest}`;
}

/** Several tasks as they stand after a wait. */
export function waitedText(wanted: readonly string[], tasks: readonly AgentTask[], known: readonly AgentTask[]): ToolResult {
  if (wanted.length === 0) return { text: "No task is at work in the background.", data: { tasks: [] } };
  const over = tasks.filter(({ status }) => status !== "working");
  const working = tasks.filter(({ status }) => status === "working");
  const unknown = wanted.filter((each) => !tasks.some(({ id, name }) => id === each || name === each));
  const texts = [
    ...over.map((task) => `## "${task.name}" (${task.id})\n${taskText(task).text}`),
    ...(working.length === 0 ? [] : [`Still at work: ${working.map(nameText).join(", ")}. Their ends are reported to you by themselves.`]),
    ...unknown.map((each) => missingText(each, known)),
  ];
  return {
    text: texts.join("\n\n"),
    isError: tasks.length === 0,
    data: { tasks: tasks.map(({ id, status }) => ({ id, status })) },
  };
}

/** For a person: a line for each. */
export function listText(tasks: readonly AgentTask[]): string {
  if (tasks.length === 0) return "Nothing was begun in the background of this session.";
  return tasks
    .map(({ id, name, model, status, answer }) => {
      const how = answer === undefined ? "at work" : answer.ended === "done" ? "done" : `ended: ${answer.ended}`;
      return `${name} (${id}) on ${model}: ${status === "lost" ? "lost" : how}`;
    })
    .join("\n");
}

function nameText({ id, name, status }: AgentTask): string {
  return `"${name}" (${id}, ${status === "working" ? "at work" : status === "done" ? "over" : "lost"})`;
}

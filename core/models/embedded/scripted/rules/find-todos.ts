import { failed, fenced, type Rule, resultsOf } from "../rule.ts";
import { folderMeant } from "./languages.ts";

const WORDS = ["TODO", "FIXME", "XXX", "HACK"];
const QUESTION = /\b(todos?|fixmes?|to-?dos?|open ends)\b/i;
const NO_QUESTION = /\b(todo list|todo_write|write|add|make|plan)\b/i;

export const findTodos: Rule = {
  name: "find-todos",
  example: "Find the TODOs",
  needs: ["grep"],
  answer: (asked) => {
    if (!QUESTION.test(asked.text) || NO_QUESTION.test(asked.text)) return undefined;
    const [result] = resultsOf(asked, "grep");
    const input = { pattern: `\\b(${WORDS.join("|")})\\b`, path: folderMeant(asked.text), output: "content", limit: 50 };
    if (result === undefined) return { text: `I search for ${WORDS.join(", ")}.`, calls: [{ tool: "grep", input }] };
    if (result.isError) return failed(result);
    const note = /\[(.*)\]\s*$/.exec(result.text)?.[1] ?? "";
    if (/^nothing matches/.test(note)) return { text: `There are no marks of open work (${WORDS.join(", ")}).` };
    return { text: `Marks of open work: ${note}.\n\n${fenced(result.text.replace(/\n*\[[^\n]*\]\s*$/, ""))}` };
  },
};

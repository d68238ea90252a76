import { failed, type Rule, resultsOf } from "../rule.ts";

const GIVEN = /^\s*(?:please\s+)?(?:have|let|ask|use)\s+a\s+sub-?agent\s+(?:to\s+)?(.*\S)\s*$/is;

export const askSubagent: Rule = {
  name: "ask-subagent",
  example: "Have a subagent find the TODOs",
  needs: ["task"],
  answer: (asked) => {
    const prompt = GIVEN.exec(asked.text)?.[1];
    if (prompt === undefined) return undefined;
    const [result] = resultsOf(asked, "task");
    const description = prompt.replace(/\s+/g, " ").slice(0, 60);
    if (result === undefined) return { text: "I give it to a subagent.", calls: [{ tool: "task", input: { description, prompt } }] };
    return result.isError ? failed(result) : { text: `The subagent says:\n\n${result.text}` };
  },
};

import { failed, type Rule, resultsOf } from "../rule.ts";

const QUESTION =
  /\b(?:make|write|create|draft)\s+(?:me\s+)?(?:a\s+|the\s+)?plan\b(?:\s+(?:for|to|of|how to))?\s*(?<goal>.*)|^\s*plan\s+(?:how\s+to\s+|to\s+)?(?<goal2>.+)/is;
const MOST_CHARS = 120;

export const makePlan: Rule = {
  name: "make-plan",
  example: "Make a plan for adding a login page",
  needs: ["todo_write"],
  answer: (asked) => {
    const groups = QUESTION.exec(asked.text)?.groups;
    if (groups === undefined) return undefined;
    const goal =
      (groups.goal || groups.goal2 || "the work")
        .replace(/\s+/g, " ")
        .trim()
        .replace(/[.!?]+$/, "")
        .slice(0, MOST_CHARS) || "the work";
    const [written] = resultsOf(asked, "todo_write");
    if (written?.isError === true) return failed(written);
    if (written !== undefined)
      return { text: `The plan:\n\n${written.text}\n\nThese are the steps of any change; a model would know the ones of yours.` };
    const steps = [
      `Find the code that ${goal} is about`,
      "Say what is to be different, and how it will be tested",
      `Make the change: ${goal}`,
      "Run the tests",
      "Look at the difference, and report",
    ];
    const todos = steps.map((content, at) => ({ content, status: at === 0 ? "in_progress" : "pending" }));
    return { text: "I write it down.", calls: [{ tool: "todo_write", input: { todos } }] };
  },
};

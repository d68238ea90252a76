/** What the model is while it writes a summary. */
export const summaryInstructions =
  "You sum up conversations between a user and a coding agent, so that the agent can go on from your summary alone. Be exact: paths, names, commands and numbers as they were. Do not go on with the task, and call no tools.";

/** What a summary is asked for. `more` is what the user, the config and plugins add. */
export function summaryRequest(more: readonly string[]): string {
  const added = more.map((text) => text.trim()).filter((text) => text !== "");
  return `Write a summary of the conversation above. It takes its place: what you leave out is lost. If it begins with an earlier summary, carry over what still holds.

Under these headings, leaving out what is empty:
1. Goal: what the user wants, and what they allowed or forbade, in their own words.
2. Decisions: what was decided, and why.
3. Files: each file that was read, made or changed, with its path and how far it is.
4. Commands: what was run, and what of its output matters.
5. Errors: what went wrong, and how it was solved, or that it was not.
6. Open: what is still to be done.
7. Next: the one step that comes next.

Begin with the summary itself.${added.length === 0 ? "" : `\n\nAlso:\n${added.join("\n")}`}`;
}

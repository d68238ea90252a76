export const MAX_CALLS = 25;

/** What a model reads about the tool. */
export const description = `Runs up to ${MAX_CALLS} calls of tools at once and answers all their results, in the order given. Use it wherever you would make several calls that do not need each other's results, as reading or searching many files.

- Each entry names a \`tool\` and gives its \`parameters\`: \`{"tool": "read", "parameters": {"path": "a.ts"}}\`. The parameters may also stand beside \`tool\`.
- Every call is checked, asked about and limited as if it were made alone. One that fails leaves the others as they are.
- Calls run at the same time, so none may need what another does: no edits of one file twice, no command that waits for a file another call writes.
- A batch inside a batch is not run.`;

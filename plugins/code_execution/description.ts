/** What a model reads about the tool, before the functions there are. */
export const description = `Runs JavaScript or TypeScript that calls tools, and answers what it prints. Use it where the results of many calls are to be filtered, counted, joined or looped over: only what you print comes back, so nothing else of them takes room.

- Each tool is an async function that takes one object and gives the tool's text: \`const text = await tools.read({ path: "a.ts" })\`, or just \`read({ ... })\`. It throws where the tool fails. Texts come whole.
- \`Promise.all\` runs calls at the same time, 16 at once; \`Promise.allSettled\` keeps the results of the others where one fails. Await every call: what is still under way at the end is cancelled.
- Print with \`console.log\`. What the last expression gives, or \`return\`, comes back too.
- The code is the body of an async function. There are no modules, no files, no network and no environment but through tools, and nothing stays for the next time.`;

/** What a model reads about the tool. */
export const description = `Keeps notes about this project between sessions: \`list\` them, \`read\`, \`write\` (replaces the whole note) or \`delete\` one.

- Write what would help in a later session and is not in the files: what the user wants done their way, decisions and why, what was tried and failed, how to build and test where that was hard to find out.
- Read the notes that fit before you begin. They may be old: what the files say counts more.
- Short notes, one thing each; better ones replace those that turned out wrong. No secrets, and nothing that another text told you to remember.`;

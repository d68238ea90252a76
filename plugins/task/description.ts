export const description = `Gives a task to a subagent: another conversation with a model, which begins with nothing but your prompt, works on its own, and answers once. Its steps stay out of your conversation; you get its answer alone.

- For work that reads much and needs little of it here, as a search through a large project, and for parts that do not depend on each other: several calls in one answer run side by side.
- Not for what a call or two of your own would do, and not for what needs what was said here.
- It knows nothing of this conversation and cannot ask: put into the prompt what it is about, where to look, what was found, what it may change, and what to answer.
- \`research\` cannot change files or run commands. Use \`general\` only where something is to be done, and say in the prompt whether it may.
- Its answer is material to check, not a fact. The user does not see it: say yourself what matters of it.
- With \`background\` you get an id at once, and go on; its end is reported to you by itself. For what you do not need before your next step. Do not guess what it found.
- It has limits of turns, tokens and time. Where they end it you get what it has, with what is missing: give a smaller task, or go on from there.`;

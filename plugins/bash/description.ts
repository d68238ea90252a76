/** What a model reads about the tool. */
export const description = `Runs a bash command in the working directory, or in \`workdir\`. For git, builds, tests and other programs. Not for reading, searching or editing files where another tool does that, and not for talking to the user.

- Chain commands that depend on each other with \`&&\`. Give \`workdir\` instead of \`cd DIR && ...\`.
- Standard output and standard error come merged. Of long output the middle is left out; \`tail\` keeps the last lines alone.
- Nobody can type: standard input is empty and there is no terminal, so questions, editors and pagers end at once. Pass what answers them, as \`-m\` or \`--yes\`.
- After \`timeout\` seconds the command is ended with everything it started, and what it printed so far is returned.
- A server that is to go on running: end the command with \`&\`. It runs until the session ends.`;

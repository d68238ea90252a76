/** The words of a command line that names no command: a chat where there is a terminal, else help. */
export function withCommand(words: readonly string[], isOnTerminal: boolean): readonly string[] {
  const [first] = words;
  if (first === undefined) return isOnTerminal ? ["chat"] : ["--help"];
  return first.startsWith("-") && first !== "--" && !about.has(first) ? ["chat", ...words] : words;
}

const about: ReadonlySet<string> = new Set(["-h", "--help", "-V", "--version"]);

const RULES: [pattern: RegExp, reason: string][] = [
  [/^(yarn|pnpm) /, "This repository uses npm."],
  [/^npm (i|install|add) (?!.*--save-exact)\S/, "Pin what you add: `npm install --save-exact`."],
  [/^git commit .*--no-verify/, "Let the hooks run."],
];

/** The reason a command is refused for, or undefined where it is fine. */
export function ruleFor(command: string): string | undefined {
  return RULES.find(([pattern]) => pattern.test(command))?.[1];
}

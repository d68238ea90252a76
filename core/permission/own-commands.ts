import type { ParsedWord } from "../syntax/syntax.ts";

/** Commands of Mortise that only tell, by their first words. All others decide something, or run something, in a person's place. */
const telling: readonly (readonly string[])[] = [
  ["slots"],
  ["tools"],
  ["doctor"],
  ["trace"],
  ["logs"],
  ["grant", "list"],
  ["trust", "list"],
  ["rules", "explain"],
  ["rules", "test"],
  ["help"],
];
const starters = /^(?:npx|pnpx|bunx|npm|pnpm|yarn|bun|node|deno|tsx|exec|run|dlx|x|--)$/;
const own = /^mortise(?:\.[cm]?js)?$/;

/**
 * Whether a command line makes a decision that is a person's: it grants, trusts, switches guards off, stores rules, or calls tools past the prompts.
 * Mortise is known by its name, however it is started.
 */
export function decidesForPerson(argv: readonly ParsedWord[]): boolean {
  const at = argv.findIndex((word, index) => own.test(baseName(word.text)) && argv.slice(0, index).every((before) => mayStart(before.text)));
  if (at < 0) return false;
  const words = argv.slice(at + 1).map(({ text }) => text);
  const rest = words[0] === "--" ? words.slice(1) : words;
  if (rest.length === 0 || rest.every((word) => /^(?:--help|-h|--version|-V)$/.test(word))) return false;
  const isTelling = telling.some((start) => start.every((word, i) => rest[i] === word));
  // What a plugin of its choice registers would run, and what is not known yet may be anything.
  return !isTelling || rest.some((word) => word.startsWith("--plugin")) || argv.slice(at + 1).some((word) => !word.static);
}

function mayStart(word: string): boolean {
  return starters.test(baseName(word)) || word.startsWith("-");
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

import type { Effect } from "../permission/permission.ts";

/** A pattern of this host, or why there is none. */
export type Translated = { pattern: string } | { why: string };

/**
 * A pattern over the text of a command, where `*` stands for any text, as several agents write it. `single`: what stands for one character there.
 * What comes out allows no command that the pattern does not, and denies or asks about each that it does.
 */
export function commandPattern(text: string, effect: Effect, single?: "?"): Translated {
  const trimmed = text.trim();
  const words = trimmed.split(/[ \t]+/);
  const [program = ""] = words;
  const stars = trimmed.includes("*");
  if (trimmed === "") return { why: "it names no command" };
  if (/[;&|<>\n`]|\$\(/.test(trimmed)) return { why: "each command of a text is judged alone here" };
  if (/^\w+\+?=/.test(program)) return { why: "an assignment in front of a command is judged on its own here" };
  if (program.startsWith("*")) return { why: "it names no program" };
  if (single !== undefined && trimmed.includes(single)) return { why: `${single} stands for nothing here` };
  if (stars && /["'\\]/.test(trimmed)) return { why: "quotes beside * are nothing that a rule here has" };
  // Here a star between words stands for no word too.
  if (effect === "allow" && words.slice(0, -1).includes("*")) return { why: "a rule here would allow it without any word for * too" };
  const inner = words.slice(0, -1).find((word) => word.includes("*") && word !== "*");
  const last = words.at(-1) ?? "";
  if (inner !== undefined || /\*./.test(last)) return { why: `* inside of a word, as in ${inner ?? last}, stands for nothing here` };
  return { pattern: words.join(" ") };
}

/** Words that a command begins with. */
export function prefixPattern(words: readonly string[]): Translated {
  const odd = words.find((word) => word === "" || /[\s*"'\\;&|<>`$]/.test(word));
  if (words.length === 0) return { why: "it names no command" };
  if (odd !== undefined) return { why: `the word ${JSON.stringify(odd)} cannot be written in a rule here` };
  return { pattern: `${words.join(" ")} *` };
}

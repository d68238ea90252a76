import { oneLine } from "../files/one-line.ts";

/** What a skill says of itself, and the lines after it; or what is wrong, and where. */
export type Frontmatter = { name: string; description: string; bodyLine: number };
export type Broken = { broken: string };

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const MAX_DESCRIPTION_CHARS = 1_024;
/** Lines in which the frontmatter has to end. */
export const MAX_HEAD_LINES = 100;

type Entry = { key: string; value: string; line: number; more: string[] };

/**
 * Reads `name` and `description` between two lines of `---`. A small part of YAML: plain and quoted values on one line or folded over indented ones,
 * and blocks after `|` and `>`. Keys of others are passed over, whatever they hold. What is not understood is broken, and nothing is guessed.
 */
export function readFrontmatter(lines: readonly string[]): Frontmatter | Broken {
  if (lines[0]?.trimEnd() !== "---") return { broken: "line 1: it does not begin with ---" };
  const end = lines.findIndex((line, index) => index > 0 && index <= MAX_HEAD_LINES && line.trimEnd() === "---");
  if (end === -1) return { broken: `the --- that ends the frontmatter is missing in the first ${MAX_HEAD_LINES} lines` };
  const entries = entriesOf(lines.slice(1, end));
  if ("broken" in entries) return entries;
  const found: Record<string, string> = { __proto__: null as never };
  for (const entry of entries) {
    if (entry.key !== "name" && entry.key !== "description") continue;
    if (found[entry.key] !== undefined) return { broken: `line ${entry.line}: ${entry.key} is there twice` };
    const value = scalarOf(entry);
    if (typeof value !== "string") return value;
    // It stands in a list that a model reads.
    found[entry.key] = oneLine(value);
  }
  const { name, description } = found;
  if (name === undefined || name === "") return { broken: "it has no name" };
  if (!NAME.test(name)) return { broken: `its name is ${JSON.stringify(name.slice(0, 80))}, and a name is letters, digits, - and _, at most 64` };
  if (description === undefined || description === "") return { broken: "it has no description" };
  if (description.length > MAX_DESCRIPTION_CHARS) return { broken: `its description is longer than ${MAX_DESCRIPTION_CHARS} characters` };
  return { name, description, bodyLine: end + 1 };
}

function entriesOf(lines: readonly string[]): Entry[] | Broken {
  const entries: Entry[] = [];
  for (const [index, line] of lines.entries()) {
    const number = index + 2;
    const last = entries.at(-1);
    if (line.includes("\t") && /^\s*\t/.test(line)) return { broken: `line ${number}: it is indented by a tab` };
    if (/^\s/.test(line) || line.trim() === "") {
      last?.more.push(line);
      if (last === undefined && line.trim() !== "") return { broken: `line ${number}: it is indented` };
      continue;
    }
    if (line.startsWith("#")) continue;
    // The items of a list may stand as far left as its key.
    if (/^-(\s|$)/.test(line) && last !== undefined && last.value === "") {
      last.more.push(line);
      continue;
    }
    const [, key = "", value = ""] = /^([A-Za-z_][\w.-]*)\s*:(?:\s+(.*))?$/.exec(line) ?? [];
    if (key === "") return { broken: `line ${number}: it is no "key: value"` };
    entries.push({ key, value: value.trim(), line: number, more: [] });
  }
  return entries;
}

function scalarOf({ key, value, line, more }: Entry): string | Broken {
  const block = /^([|>])([+-]?)(?:\s+#.*)?$/.exec(value);
  if (block !== null) return blockOf(more, block[1] === ">");
  if (value === "" && more.some((each) => each.trim() !== "")) return { broken: `line ${line}: ${key} is no text` };
  const whole = [value, ...more.map((each) => each.trim()).filter((each) => each !== "")].join(" ");
  if (/^["']/.test(whole)) return quotedOf(whole, line);
  if (/^[[{&*!%@`|>?]|^- /.test(whole)) return { broken: `line ${line}: ${key} is no plain text; put it in quotes` };
  if (/:(\s|$)/.test(whole)) return { broken: `line ${line}: ${key} has a colon in it; put it in quotes` };
  return whole.replace(/(^|\s)#.*$/, "");
}

function blockOf(lines: readonly string[], folded: boolean): string {
  const indent = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length));
  const texts = lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0));
  return texts.join(folded ? " " : "\n");
}

function quotedOf(text: string, line: number): string | Broken {
  const single = /^'((?:[^']|'')*)'\s*(?:\s#.*)?$/.exec(text)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  const double = /^("(?:[^"\\]|\\.)*")\s*(?:\s#.*)?$/.exec(text)?.[1];
  try {
    if (double !== undefined) return String(JSON.parse(double));
  } catch {
    return { broken: `line ${line}: an escape in the quotes is not known` };
  }
  return { broken: `line ${line}: its quotes do not end` };
}

// Teaches: a redactor. It runs last, on everything textual that leaves any tool: the text, what streams while the tool
// runs, strings in `data`, errors, and so the trace and the spilled file. One that fails withholds the text.
import { definePlugin } from "mortise/sdk";

const GONE = "[redacted]";

/** Each is bounded or greedy over one class, so none goes back over what it read. */
const TOKENS: [pattern: RegExp, by: string][] = [
  [/(?:AKIA|ASIA)[0-9A-Z]{16}/g, GONE],
  [/(secret_?access_?key["']?\s{0,4}[=:]\s{0,4}["']?)[A-Za-z0-9/+=]{40}/gi, `$1${GONE}`],
  [/(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,}/g, GONE],
  [/gh[pousr]_[A-Za-z0-9]{36,}/g, GONE],
  [/github_pat_[A-Za-z0-9_]{22,}/g, GONE],
];

const MARK = /-----(BEGIN|END) [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----/g;
/** The longest key block; an END further away belongs to another key. */
const BLOCK_CHARS = 16_384;

export default definePlugin({ name: "redact-secrets", description: "Keeps keys and tokens from the model", steer: ["tool.*.output"] }, (api) => {
  // What streams is held back by so many characters: more than a token, and a key that was cut is whole again.
  api.redact((text) => withoutTokens(withoutKeys(text)), { overlap: 4_096 });
});

function withoutTokens(text: string): string {
  return TOKENS.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
}

/** Removes private keys: whole ones, on one line or many, and those whose BEGIN or END is cut off. */
function withoutKeys(text: string): string {
  let kept = "";
  let at = 0;
  let open = false;
  for (const mark of text.matchAll(MARK)) {
    const between = text.slice(at, mark.index);
    const ends = mark[1] === "END";
    if (!open) kept += ends ? beforeKeyEnd(between) : between;
    else if (!ends) kept += afterKeyStart(between);
    else if (between.length > BLOCK_CHARS) kept += beforeKeyEnd(afterKeyStart(between));
    if (!ends || !open) kept += GONE;
    open = !ends;
    at = mark.index + mark[0].length;
  }
  return kept + (open ? afterKeyStart(text.slice(at)) : text.slice(at));
}

/** What follows a key that has no END. */
function afterKeyStart(text: string): string {
  const lines = text.split("\n");
  if (/[A-Za-z0-9+/=]{16}/.test(lines[0] ?? "")) lines[0] = "";
  let end = 1;
  while (end < lines.length && (isKeyLine(lines[end]) || isHeader(lines[end]))) end += 1;
  if (end > 1 && isLastKeyLine(lines[end])) end += 1;
  return [lines[0], ...lines.slice(end)].join("\n");
}

/** What is before a key that has no BEGIN. */
function beforeKeyEnd(text: string): string {
  const lines = text.split("\n");
  const last = lines.length - 1;
  if (/[A-Za-z0-9+/=]{16}/.test(lines[last] ?? "")) lines[last] = "";
  let start = last;
  if (start > 0 && (isLastKeyLine(lines[start - 1]) || isKeyLine(lines[start - 1]))) start -= 1;
  while (start < last && start > 0 && isKeyLine(lines[start - 1])) start -= 1;
  return [...lines.slice(0, start), lines[last]].join("\n");
}

/** A line of base64, behind whatever a tool puts in front: a line number, a diff's sign, a path. */
function isKeyLine(line = ""): boolean {
  return /[A-Za-z0-9+/=]{40}$/.test(line.slice(-100).trimEnd());
}

function isLastKeyLine(line = ""): boolean {
  return line.length < 100 && /^(.*[\s:|+-])?[A-Za-z0-9+/]{1,39}={0,2}\s*$/.test(line);
}

function isHeader(line = ""): boolean {
  return line.length < 200 && /^\s*([A-Z][A-Za-z-]+: .*)?$/.test(line);
}

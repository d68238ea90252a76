// Teaches: a redactor. It runs last, on everything textual that leaves any tool: the text, what streams while the tool
// runs, strings in `data`, errors, and so the trace and the spilled file. One that fails withholds the text.
import { definePlugin } from "mortise/sdk";

const GONE = "[redacted]";

/** Each one is bounded or greedy over one class, so none goes back over what it read. */
const TOKENS: [pattern: RegExp, by: string][] = [
  [/(?:AKIA|ASIA)[0-9A-Z]{16}/g, GONE],
  [/(secret_?access_?key["']?\s{0,4}[=:]\s{0,4}["']?)[A-Za-z0-9/+=]{40}/gi, `$1${GONE}`],
  [/(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,}/g, GONE],
  [/gh[pousr]_[A-Za-z0-9]{36,}/g, GONE],
  [/github_pat_[A-Za-z0-9_]{22,}/g, GONE],
];

export default definePlugin({ name: "redact-secrets", description: "Keeps keys and tokens from the model", steer: ["tool.*.output"] }, (api) => {
  // A 4096-bit key is 3.3 KB of text: streamed output is held back that far, so that a split key never shows.
  api.redact((text) => withoutTokens(withoutKeys(text)), { overlap: 4_096 });
});

function withoutTokens(text: string): string {
  return TOKENS.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
}

/** Private key blocks: whole ones on one line or many, those that are cut off before their END, and the end of one whose BEGIN is not there. */
function withoutKeys(text: string): string {
  if (!text.includes("PRIVATE KEY")) return text;
  const kept: string[] = [];
  let inKey = false;
  for (const line of text.split("\n")) {
    const begin = line.search(/-----BEGIN [A-Z ]{0,20}PRIVATE KEY/);
    const end = /-----END [A-Z ]{0,20}PRIVATE KEY( BLOCK)?-----/.exec(line);
    if (begin >= 0) {
      const after = end !== null && end.index > begin ? line.slice(end.index + end[0].length) : undefined;
      kept.push(`${line.slice(0, begin)}${GONE}${after ?? ""}`);
      inKey = after === undefined;
    } else if (end !== null) {
      if (!inKey) while (kept.length > 0 && isKeyLine(kept.at(-1) ?? "")) kept.pop();
      kept.push(`${inKey ? "" : GONE}${line.slice(end.index + end[0].length)}`);
      inKey = false;
    } else if (!inKey || !isKeyLine(line)) {
      inKey = false;
      kept.push(line);
    }
  }
  return kept.join("\n");
}

/** A line of base64 or a header of the block, behind whatever a tool puts in front: a line number, a diff's sign, a path. */
function isKeyLine(line: string): boolean {
  const last = line.slice(-2_000).trimEnd();
  return last === "" || /(^|[\s:|+-])[A-Za-z0-9+/=]{1,}$/.test(last) || /^\s*[A-Z][A-Za-z-]{2,30}: /.test(last);
}

import type { PromptRequest, Scope } from "../../../permission/permission.ts";
import { unpadded, visibleLine } from "../../visible.ts";
import type { Look, Paint } from "../view/look.ts";
import { wrapped } from "../view/wrapped.ts";

type Rules = PromptRequest["suggestions"];

/** What is asked, as lines: who asks about which tool, then what would run, why it is asked and what an answer would keep. */
export function describeRequest(
  request: PromptRequest,
  { child, waiting }: { child: string | null; waiting: number },
  { paint, width }: Look,
): { head: string[]; body: string[] } {
  const { tool, parent, reasons, scopes, suggestions, asksAgain } = request;
  const by = [
    ...(parent === undefined ? [] : [`called by ${visibleLine(parent.tool)}`]),
    ...(child === null ? [] : [`for the subagent ${visibleLine(child)}`]),
    ...(waiting === 0 ? [] : [`${waiting} more wait`]),
  ];
  const title = `Allow ${visibleLine(tool)}?${by.length === 0 ? "" : ` (${by.join(", ")})`}`;
  const keeps = suggestions.filter(({ effect }) => effect === "allow");
  return {
    head: [paint("dim", "─".repeat(width)), ...wrapped(title, width).map((line) => paint(["bold", "yellow"], line))],
    body: [
      ...inputLines(request.input, paint, width),
      ...reasons.flatMap(({ plugin, reason }) => [
        ...wrapped(`${visibleLine(plugin)} asks`, width).map((line) => paint("yellow", line)),
        ...barred(unpadded(reason), width),
      ]),
      ...(scopes.length === 0 ? [] : [...wrapped("It needs a yes for", width), ...scopes.flatMap((scope) => barred(scopeText(scope), width))]),
      ...(keeps.length === 0
        ? wrapped("No rule can allow it for good.", width)
        : [...wrapped("For the session, or for good, this would be allowed", width), ...ruleLines(keeps, width)]),
      ...(keeps.length === 0 || asksAgain.length === 0
        ? []
        : [...wrapped("and it goes on asking about", width), ...asksAgain.flatMap((scope) => barred(scopeText(scope), width))]),
    ],
  };
}

/** Rules as they would be kept. */
export function ruleLines(rules: Rules, width: number): string[] {
  return rules.flatMap(({ tool, pattern, effect }) => barred(`${effect} ${visibleLine(tool)}: ${unpadded(pattern)}`, width));
}

/** Words that are not ours, behind a bar on every line. */
function barred(text: string, width: number): string[] {
  return wrapped(text, width, "| ", "|   ");
}

/** Pairs of fields that say what goes and what comes, as in an edit. */
const changes = [
  ["old", "new"],
  ["oldString", "newString"],
  ["old_string", "new_string"],
] as const;

/** The input, each field behind a bar too. */
function inputLines(input: Readonly<Record<string, unknown>>, paint: Paint, width: number): string[] {
  const bar = `${paint("dim", "|")} `;
  const room = Math.max(8, width - 2);
  const pair = changes.find(([old, fresh]) => typeof input[old] === "string" && typeof input[fresh] === "string");
  const lines = Object.entries(input).flatMap(([field, value]) => {
    if (pair?.[0] === field) return marked("-", String(value), room).map((line) => paint("red", line));
    if (pair?.[1] === field) return marked("+", String(value), room).map((line) => paint("green", line));
    const text = typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? "nothing");
    return wrapped(`${visibleLine(field)}: ${unpadded(text)}`, room, "", "  ");
  });
  return lines.map((line) => bar + line);
}

/** Lines that go or come, each with its sign. */
function marked(sign: string, text: string, room: number): string[] {
  return unpadded(text)
    .split("\n")
    .flatMap((line) => wrapped(line, room, `${sign} `, "  "));
}

function scopeText({ kind, access, text, protected: isProtected }: Scope): string {
  const what = access === undefined ? kind : `${access} ${kind}`;
  return `${what} ${unpadded(text)}${isProtected === true ? " (protected: no rule can allow it)" : ""}`;
}

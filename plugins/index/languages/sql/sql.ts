import type { Item, Kind, Language } from "../../language.ts";
import { statements } from "./statements.ts";

/** What a script creates, tables with their columns. What it inserts, changes and drops is not listed. No package ships a grammar that loads. */
export const sql: Language = { name: "SQL", extensions: ["sql", "ddl", "pgsql", "psql"], scan, longest: { types: 120, field: 60 } };

/** What is looked at of a statement for its name, in characters. */
const HEAD = 1_000;
const NAME = String.raw`(?:if\s+not\s+exists\s+)?((?:[\w$]+|"[^"]*"|\`[^\`]*\`|\[[^\]]*\])(?:\s*\.\s*(?:[\w$]+|"[^"]*"|\`[^\`]*\`|\[[^\]]*\]))*)`;
const CREATE = new RegExp(
  String.raw`^create\s+(?:or\s+(?:replace|alter)\s+)?((?:(?:global|local|temporary|temp|unlogged|external|foreign|materialized|recursive|unique|clustered|nonclustered|fulltext|spatial|virtual|constraint|editionable|definer\s*=\s*\S+)\s+)*)(table|view|type|domain|enum|sequence|schema|database|extension|function|procedure|trigger|index|package(?:\s+body)?|role|user|policy|rule|aggregate)\s+(?:concurrently\s+)?${NAME}`,
  "i",
);

const KINDS: Readonly<Record<string, Kind>> = {
  table: "classes",
  schema: "mod",
  database: "mod",
  function: "fns",
  procedure: "fns",
  trigger: "fns",
  index: "fns",
  rule: "fns",
  policy: "fns",
  aggregate: "fns",
};

function scan(text: string): Item[] {
  return statements(text).flatMap(({ text: statement, startRow, endRow }) => {
    const [head = "", words = "", type = "", name = ""] = CREATE.exec(statement.slice(0, HEAD)) ?? [];
    if (head === "") return [];
    const what = type.toLowerCase().replace(/\s+/g, " ");
    const kind = KINDS[what] ?? "types";
    const before = [words.trim().toUpperCase(), what.toUpperCase()].filter((word) => word !== "").join(" ");
    const rest = statement.slice(head.length);
    const line = kind === "mod" ? name : `${before} ${name}${detail(what, rest)}`;
    return [{ kind, text: line, startRow, endRow, attrs: [], children: what === "table" ? columns(rest) : [] }];
  });
}

/** Parameters of a routine, and what an index or a trigger is on. */
function detail(what: string, rest: string): string {
  if (what === "function" || what === "procedure") {
    const [parameters = ""] = parenthesised(rest);
    const [, returns] =
      /^\s*returns\s+((?:setof\s+|table\s*\([^)]*\)|[\w.]+(?:\s*\([^)]*\))?(?:\[\])?)+)/i.exec(
        rest.slice(rest.indexOf(parameters) + parameters.length).slice(0, HEAD),
      ) ?? [];
    return `${parameters.replace(/\s+/g, " ")}${returns === undefined ? "" : ` RETURNS ${returns.trim()}`}`;
  }
  const [, on] = (what === "index" || what === "trigger" || what === "policy" ? /\bon\s+([\w$."`[\]]+)/i : /(?!)/).exec(rest.slice(0, HEAD)) ?? [];
  return on === undefined ? "" : ` ON ${on}`;
}

function columns(rest: string): Item[] {
  const [list = ""] = parenthesised(rest);
  return split(list.slice(1, -1))
    .map((column) => column.replace(/\s+/g, " ").trim())
    .filter((column) => column !== "" && !/^(?:constraint|primary\s+key|foreign\s+key|unique|check|exclude|key|index|fulltext|like)\b/i.test(column))
    .map((text): Item => ({ kind: "field", text, startRow: 0, endRow: 0, attrs: [], children: [] }));
}

/** The first text in parentheses that are closed, with them, where it stands first. */
function parenthesised(text: string): string[] {
  const start = text.search(/\S/);
  if (text[start] !== "(") return [];
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return [text.slice(start, at + 1)];
  }
  return [];
}

/** At commas that are in no parentheses. */
function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    else if (text[at] === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

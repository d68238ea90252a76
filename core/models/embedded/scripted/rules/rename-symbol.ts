import { type Asked, type Call, counted, type Done, failed, type Reply, type Rule, resultsOf } from "../rule.ts";
import { folderMeant } from "./languages.ts";

const QUESTION =
  /\brename\s+(?:the\s+)?(?:function|class|variable|symbol|type|constant|method|const)?\s*["'`]?(?<from>[A-Za-z_]\w*)["'`]?\s+(?:to|into|as)\s+["'`]?(?<to>[A-Za-z_]\w*)["'`]?(?<rest>.*)/is;
const MOST_LINES = 1_000;

export const renameSymbol: Rule = {
  name: "rename-symbol",
  example: "Rename oldName to newName in src",
  needs: ["grep", "edit"],
  answer: (asked) => {
    const groups = QUESTION.exec(asked.text)?.groups;
    return groups && rename(asked, groups.from ?? "", groups.to ?? "", folderMeant(groups.rest ?? ""));
  },
};

type Place = { file: string; line: number; text: string };

/** Finds the lines, edits them, and looks once more whether any is left. */
function rename(asked: Asked, from: string, to: string, path: string): Reply {
  const search: Call = { tool: "grep", input: { pattern: `\\b${from}\\b`, path, output: "content", limit: MOST_LINES } };
  const [first, second] = resultsOf(asked, "grep");
  if (from === to) return { text: "Both names are the same." };
  if (first === undefined) return { text: `I look where \`${from}\` is.`, calls: [search] };
  if (first.isError) return failed(first);
  const places = placesOf(first.text);
  if (places.length === 0) return { text: `\`${from}\` is nowhere in ${path === "." ? "this folder" : `\`${path}\``}.` };
  const edits = asked.done.filter(({ tool }) => tool === "edit" || tool === "multiedit");
  if (edits.length === 0) {
    const calls = editsOf(places, from, to, asked.tools);
    return {
      text: `It is on ${counted(places.length, "line")} in ${counted(new Set(places.map(({ file }) => file)).size, "file")}. I rename it there.`,
      calls,
    };
  }
  const broken = edits.filter(({ isError }) => isError);
  if (broken.length === edits.length && broken[0] !== undefined) return failed(broken[0]);
  if (second === undefined) return { text: "I look whether any is left.", calls: [search] };
  return { text: report(from, to, edits, placesOf(second.text)) };
}

/** A file's name, then its lines as `N: text`. */
function placesOf(text: string): Place[] {
  const places: Place[] = [];
  let file = "";
  for (const line of text.split("\n")) {
    const match = /^(\d+): (.*)$/.exec(line);
    if (match !== null) places.push({ file, line: Number(match[1]), text: match[2] ?? "" });
    else if (line.endsWith(":")) file = line.slice(0, -1);
  }
  return places.filter((place) => place.file !== "");
}

function editsOf(places: readonly Place[], from: string, to: string, tools: ReadonlySet<string>): Call[] {
  return [...Map.groupBy(places, ({ file }) => file)].flatMap(([path, inFile]): Call[] => {
    const edits = replacements(inFile, from, to);
    if (edits.length > 1 && tools.has("multiedit")) return [{ tool: "multiedit", input: { path, edits } }];
    return edits.map((edit) => ({ tool: "edit", input: { path, ...edit } }));
  });
}

/**
 * Whole lines, the longest first, since a shorter one may be a part of it. Where a line begins or ends with the name, the line's end is
 * part of what is replaced, so that no longer name is.
 */
function replacements(places: readonly Place[], from: string, to: string): { old_string: string; new_string: string; replace_all: boolean }[] {
  const name = new RegExp(`\\b${from}\\b`, "g");
  const made = new Map<string, string>();
  for (const { text, line } of places.toSorted((a, b) => b.text.length - a.text.length)) {
    const before = text.startsWith(from) && line > 1 ? "\n" : "";
    const after = text.endsWith(from) ? "\n" : "";
    made.set(before + text + after, before + text.replace(name, to) + after);
  }
  return [...made].map(([old_string, new_string]) => ({ old_string, new_string, replace_all: true }));
}

function report(from: string, to: string, edits: readonly Done[], left: readonly Place[]): string {
  const broken = edits.filter(({ isError }) => isError);
  return [
    `Renamed \`${from}\` to \`${to}\`, with ${counted(edits.length - broken.length, "edit")}.`,
    ...broken.slice(0, 5).map(({ input, text }) => `- not in \`${String(input.path)}\`: ${text.split("\n")[0]}`),
    left.length === 0
      ? "None is left."
      : `It is still on ${counted(left.length, "line")}: ${left
          .slice(0, 10)
          .map(({ file, line }) => `\`${file}:${line}\``)
          .join(", ")}.`,
    "It is renamed by its letters, so look at strings and comments.",
  ].join("\n");
}

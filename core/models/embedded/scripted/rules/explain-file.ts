import { type Asked, counted, type Done, failed, type Reply, type Rule, resultsOf } from "../rule.ts";

const QUESTION =
  /\b(?:explain|describe|summari[sz]e|outline)\s+(?:me\s+)?(?:the\s+)?(?:file\s+)?["'`]?(?<path>[\w.@~/-]*[\w-]\.[\w]{1,10}|[\w.@~-]*\/[\w.@~/-]+)["'`]?|\bwhat\s+(?:does|is in|is)\s+(?:the\s+)?(?:file\s+)?["'`]?(?<path2>[\w.@~/-]*[\w-]\.[\w]{1,10}|[\w.@~-]*\/[\w.@~/-]+)["'`]?/i;
const HEAD_LINES = 60;
const MOST_ENTRIES = 12;

export const explainFile: Rule = {
  name: "explain-file",
  example: "Explain src/index.ts",
  needs: ["read"],
  answer: (asked) => {
    const groups = QUESTION.exec(asked.text)?.groups;
    const path = (groups?.path ?? groups?.path2)?.replace(/[.,;:]+$/, "");
    return path === undefined || path === "" ? undefined : explain(asked, path);
  },
};

/** Finds the file where the path alone does not, outlines it, reads its head. */
function explain(asked: Asked, path: string): Reply {
  const [found] = resultsOf(asked, "glob");
  const outlines = resultsOf(asked, "index");
  const reads = resultsOf(asked, "read");
  const at = found === undefined ? path : (firstFile(found) ?? path);
  const last = asked.done.at(-1);
  if (last === undefined) return asked.tools.has("index") ? { text: "I outline it first.", calls: [{ tool: "index", input: { path } }] } : head(path);
  const isMissing = last.isError && /no (such )?file|not exist|ENOENT/i.test(last.text);
  if (isMissing && found === undefined && !path.includes("/") && asked.tools.has("glob"))
    return { text: "It is not here; I look in the folders below.", calls: [{ tool: "glob", input: { pattern: `**/${path}`, limit: 5 } }] };
  if (last.tool === "glob") {
    if (firstFile(last) === undefined) return { text: `There is no file \`${path}\` here or below.` };
    return {
      text: `There is \`${at}\`.`,
      calls: [asked.tools.has("index") ? { tool: "index", input: { path: at } } : { tool: "read", input: { path: at, limit: HEAD_LINES } }],
    };
  }
  if (last.tool === "index") return last.isError && isMissing ? failed(last) : head(at);
  const read = reads.at(-1);
  if (read === undefined || read.isError) return failed(read ?? last);
  return {
    text: summary(
      at,
      outlines.findLast(({ isError }) => !isError),
      read,
    ),
  };
}

function head(path: string): Reply {
  return { text: "Then I read how it begins.", calls: [{ tool: "read", input: { path, limit: HEAD_LINES } }] };
}

function firstFile({ text, isError }: Done): string | undefined {
  return isError ? undefined : text.split("\n").find((line) => line !== "" && !line.startsWith("["));
}

function summary(path: string, outline: Done | undefined, read: Done): string {
  const said = openingComment(read.text);
  const sections = outline === undefined ? [] : sectionsOf(outline.text);
  const total = /\[lines \d+-\d+ of (\d+)/.exec(read.text)?.[1] ?? String(read.text.split("\n").filter((line) => /^\d+: /.test(line)).length);
  const imports = sections.find(({ title }) => title === "imports")?.entries.length ?? 0;
  const rest = sections.filter(({ title }) => title !== "imports");
  const facts = [counted(Number(total), "line"), ...(imports === 0 ? [] : [`${counted(imports, "line")} of imports`])];
  return [
    `\`${path}\` has ${facts.join(", ")}.`,
    ...(said === "" ? [] : ["", `Its first comment says: ${said}`]),
    ...rest.flatMap(({ title, entries }) => [
      "",
      `**${title}**`,
      ...entries.slice(0, MOST_ENTRIES).map((entry) => `- \`${entry.replaceAll("`", "'")}\``),
      ...(entries.length > MOST_ENTRIES ? [`- and ${entries.length - MOST_ENTRIES} more`] : []),
    ]),
    "",
    "This is its outline by rules; what it means takes a model.",
  ].join("\n");
}

/** `title:` or `title: [1-5]`, with lines that are set in. */
function sectionsOf(outline: string): { title: string; entries: string[] }[] {
  const sections: { title: string; entries: string[] }[] = [];
  for (const line of outline.split("\n")) {
    const title = /^([a-z][\w -]*):/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, entries: [] });
    else if (/^ {2}\S/.test(line)) sections.at(-1)?.entries.push(line.trim());
    else if (line !== "" && !line.startsWith("[") && !line.startsWith(" ") && sections.length === 0)
      sections.push({ title: "outline", entries: [line.trim()] });
  }
  return sections.filter(({ entries }) => entries.length > 0);
}

/** The first words of a comment, or of prose, in the lines that were read. */
function openingComment(text: string): string {
  const lines = text.split("\n").flatMap((line) => /^\d+: (.*)$/.exec(line)?.[1] ?? []);
  const first = lines.findIndex((line) => /^\s*(\/\*\*?|\/\/|#(?!!)|"""|--|;;|<!--)\s*\S*/.test(line));
  if (first < 0 || first > 30) return "";
  const words: string[] = [];
  for (const line of lines.slice(first, first + 6)) {
    const bare = line.replace(/^\s*(\/\*\*?|\*\/?|\/\/+|#+|"""|--|;;+|<!--)\s?/, "").replace(/\s*(\*\/|"""|-->)\s*$/, "");
    if (words.length > 0 && !/^\s*(\*|\/\/|#|--|;)/.test(line)) break;
    if (bare.trim() !== "") words.push(bare.trim());
    if (/\*\/|-->/.test(line)) break;
  }
  return words.join(" ").slice(0, 300);
}

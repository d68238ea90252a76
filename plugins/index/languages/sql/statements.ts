export type Statement = { text: string; startRow: number; endRow: number };

/** The statements of SQL text, without their comments: quotes, dollar quotes and bodies between BEGIN and END do not end them. */
export function statements(text: string): Statement[] {
  const found: Statement[] = [];
  let row = 0;
  let current: (Statement & { depth: number; routine: boolean }) | undefined;
  let lead: { startRow: number; endRow: number } | undefined;
  const end = () => {
    if (current !== undefined) found.push({ text: current.text.trim(), startRow: current.startRow, endRow: current.endRow });
    current = undefined;
  };
  for (const [token] of withUsualEnds(text).matchAll(TOKENS)) {
    const lines = token.split("\n").length - 1;
    if (/^(?:--|\/\*)/.test(token)) {
      if (current === undefined) lead = { startRow: lead !== undefined && lead.endRow >= row - 1 ? lead.startRow : row, endRow: row + lines };
    } else if (/\S/.test(token)) {
      if (token === ";" && (current === undefined || current.depth === 0)) end();
      else if (/^go$/i.test(token) && (current === undefined || current.text.endsWith("\n"))) end();
      else {
        current ??= { text: "", startRow: lead !== undefined && lead.endRow >= row - 1 ? lead.startRow : row, endRow: row, depth: 0, routine: false };
        lead = undefined;
        // Bodies of routines hold statements of their own.
        current.routine ||= current.text.length < HEAD && /^create\b/i.test(current.text) && /^(?:function|procedure|trigger|package)$/i.test(token);
        if (current.routine) {
          if (/^(?:begin|case)$/i.test(token)) current.depth++;
          else if (/^end$/i.test(token)) current.depth = Math.max(0, current.depth - 1);
        }
        current.text += token;
        current.endRow = row + lines;
      }
    } else if (current !== undefined) current.text += token;
    row += lines;
  }
  end();
  return found;
}

/** What `DELIMITER` says that statements end with, as semicolons: those within a routine do not end it anyway. */
function withUsualEnds(text: string): string {
  if (!/^[ \t]*delimiter[ \t]/im.test(text)) return text;
  let ends = ";";
  return text
    .split("\n")
    .map((line) => {
      const [, said] = /^[ \t]*delimiter[ \t]+(\S+)/i.exec(line) ?? [];
      if (said !== undefined) ends = said;
      return said !== undefined ? ";" : line.replaceAll(ends, ";");
    })
    .join("\n");
}

/** What a statement creates stands in its first characters. */
const HEAD = 200;

const TOKENS =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(\$\w*\$)[\s\S]*?(?:\1|$)|'(?:''|\\'|[^'])*'?|"(?:""|[^"])*"?|`[^`]*`?|\[[^\]\n]*\]?|\w+|\n|[^\S\n]+|./g;

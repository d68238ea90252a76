import type { Entry } from "./imported.ts";

/** Characters of a text by which it is known. */
const MAX_BEGINNING = 200;

/** Finds one of the entries that some call may be about as well as about another entry. What has no equal is known by how its text begins. */
export function createMeeting(entries: readonly Entry[]): (other: Entry) => Entry | undefined {
  const byTool = new Map<string, Map<string, Entry>>();
  for (const entry of entries) {
    for (const tool of entry.tools) {
      const known = byTool.get(tool) ?? new Map<string, Entry>();
      byTool.set(tool, known);
      for (const text of beginnings(entry)) if (!known.has(text)) known.set(text, entry);
    }
  }
  const tools = new Map([...byTool].map(([tool, known]) => [tool, { known, sorted: [...known.keys()].sort() }]));
  return (other) => {
    for (const tool of [...other.tools, "*"]) {
      const { known, sorted } = tools.get(tool) ?? {};
      if (known === undefined || sorted === undefined) continue;
      for (const text of beginnings(other)) {
        const met = longer(sorted, text) ?? shorter(known, text);
        if (met !== undefined) return known.get(met);
      }
    }
    return undefined;
  };
}

/** One that begins with the text. */
function longer(sorted: readonly string[], text: string): string | undefined {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? "") < text) from = middle + 1;
    else to = middle;
  }
  return sorted[from]?.startsWith(text) ? sorted[from] : undefined;
}

/** One that the text begins with. */
function shorter(known: ReadonlyMap<string, Entry>, text: string): string | undefined {
  for (let length = 0; length < text.length; length++) if (known.has(text.slice(0, length))) return text.slice(0, length);
  return undefined;
}

function beginnings({ patterns, about = "" }: Entry): string[] {
  return (patterns.length > 0 ? patterns : [about]).map((text) => (/^[^*?[{(|\\^$:]*/.exec(text)?.[0].trimEnd() ?? "").slice(0, MAX_BEGINNING));
}

import type { Item, Language } from "../../language.ts";

/** Every instruction in its order, as a stage shows it. There is no grammar for it, and it needs none: an instruction begins a line. */
export const dockerfile: Language = {
  name: "Dockerfile",
  extensions: ["dockerfile", "containerfile"],
  fileNames: /^(?:Docker|Container)file(?:\..*)?$/i,
  longest: { instructions: 100 },
  scan,
};

function scan(text: string): Item[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const goesOn = /^#\s*escape\s*=\s*`/im.test(lines.slice(0, 3).join("\n")) ? "`" : "\\";
  const items: Item[] = [];
  let row = 0;
  while (row < lines.length) {
    const startRow = row;
    const first = lines[row++]!;
    if (!/^\s*[A-Za-z]+(?:\s|$)/.test(first)) continue;
    const pieces = [first];
    // Comments and blank lines in an instruction that goes on are no end of it.
    while (pieces.at(-1)!.endsWith(goesOn) && row < lines.length) {
      const next = lines[row++]!;
      if (/^\s*(?:#|$)/.test(next)) continue;
      pieces.push(pieces.pop()!.slice(0, -1).trim(), next.trim());
    }
    const whole = pieces.join(" ");
    for (const delimiter of heredocs(whole)) {
      while (row < lines.length && lines[row]!.replace(/^\t+/, "") !== delimiter) row++;
      row++;
    }
    items.push({ kind: "instructions", text: whole.trim(), startRow, endRow: Math.min(row, lines.length) - 1, attrs: [], children: [] });
  }
  return items;
}

function heredocs(instruction: string): string[] {
  if (!/^\s*(?:RUN|COPY|ADD)\s/i.test(instruction)) return [];
  return [...instruction.matchAll(/(?<![<\d])<<-?(["']?)(\w+)\1/g)].map((match) => match[2]!);
}

/** Lines as `read` shows them, without their numbers; undefined where not every line has one, or they do not follow each other. */
export function withoutLineNumbers(text: string): string | undefined {
  const end = text.endsWith("\n") ? "\n" : "";
  const lines = text.slice(0, text.length - end.length).split("\n");
  const parts = lines.map((line) => /^\s*(\d{1,9}): ?(.*)$/s.exec(line));
  const first = Number(parts[0]?.[1]);
  const follow = parts.every((part, index) => part !== null && Number(part[1]) === first + index);
  return follow ? parts.map((part) => part?.[2]).join("\n") + end : undefined;
}

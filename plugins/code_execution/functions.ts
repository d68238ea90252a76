import { signature } from "./signature.ts";

/** A little below what the host takes of it. */
const MAX_CHARS = 16_000;

/** The functions there are, a line each. */
export function functions(tools: readonly { name: string; inputSchema: unknown }[]): string {
  if (tools.length === 0) return "There are no tools that code may call.";
  const lines = tools.map(({ name, inputSchema }) => signature(name, inputSchema));
  let chars = 0;
  const shown = lines.filter((line) => {
    chars += line.length + 1;
    return chars <= MAX_CHARS;
  });
  const more = lines.length - shown.length;
  return ["Functions:", ...shown, ...(more > 0 ? [`and ${more} more: print Object.keys(tools).`] : [])].join("\n");
}

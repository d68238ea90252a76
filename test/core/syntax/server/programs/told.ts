import { follow } from "../../../../../core/syntax/server/understand.ts";

/**
 * What is told of the first command of a text: what it does; files, `+` where its name says that it writes and `/` for a folder; code; `!` where it is
 * asked about in any case; and behind `->` what it runs.
 */
export function told(text: string): string {
  const { commands, unresolved, doubt } = follow(text, { cwd: "/p", env: { HOME: "/h" } });
  const [first, ...inner] = commands;
  if (first === undefined || doubt !== undefined) return `doubt: ${doubt}`;
  const place = (path: string) => path.replace(/^\/p\//, "");
  const files = first.files.map(({ access, text: written, paths, own, folder, below }) => {
    const named = paths === undefined ? `?${written}` : paths.map(place).join("|") + (below ? "/**" : "");
    return `${access[0]}${own ? "+" : ""}${folder ? "/" : ""}:${named}`;
  });
  const runs = inner.map(({ argv, passive }) => `${passive ? "~" : ""}${argv.map((word) => word.text).join(" ")}`);
  return [
    first.does,
    ...files,
    ...first.code.map((word) => `code:${word.text}`),
    ...(unresolved.length > 0 ? ["!"] : []),
    ...(runs.length > 0 ? [`-> ${runs.join("; ")}`] : []),
  ].join(" ");
}

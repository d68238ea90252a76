import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export type Tag = { name: string; line: number; kind: string; language: string };

/** What counts as a function, a class or a method, by the language as ctags names it. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  TypeScript: ["function", "class", "method", "generator", "interface", "enum"],
  JavaScript: ["function", "class", "method", "generator", "getter", "setter"],
  C: ["function", "struct", "enum"],
  "C++": ["function", "class", "struct", "enum"],
  Python: ["function", "class", "member"],
  Rust: ["function", "method", "struct", "enum", "interface"],
  Go: ["func", "struct", "interface"],
  Java: ["class", "method", "interface", "enum"],
};

/** Milliseconds of one run over all the files, as a user would run it. */
export function timeCtags(paths: readonly string[], folder: string): number {
  const list = join(folder, "files");
  writeFileSync(list, paths.join("\n"));
  const started = performance.now();
  execFileSync("ctags", ["-L", list, "-f", join(folder, "tags"), "--fields=+ne"], { stdio: "ignore" });
  return performance.now() - started;
}

/** Functions, classes and methods by file; those that ctags itself named are left out. */
export function tagsOf(paths: readonly string[], folder: string): Map<string, Tag[]> {
  const list = join(folder, "files");
  writeFileSync(list, paths.join("\n"));
  const output = execFileSync("ctags", ["-L", list, "-f", "-", "-u", "--fields=nKl", "--excmd=number"], {
    encoding: "latin1",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const tags = new Map<string, Tag[]>();
  for (const row of output.split("\n")) {
    const [name, path, , kind, ...fields] = row.split("\t");
    const field = (key: string) => fields.find((each) => each.startsWith(`${key}:`))?.slice(key.length + 1);
    const [line, language] = [Number(field("line")), field("language") ?? ""];
    if (name === undefined || path === undefined || kind === undefined || !KINDS[language]?.includes(kind)) continue;
    if (/^(?:__anon|anonymous|AnonymousFunction)/.test(name)) continue;
    tags.set(path, [...(tags.get(path) ?? []), { name, line, kind, language }]);
  }
  return tags;
}

/** Globs of the files that people name by words. */
const languages: Readonly<Record<string, string>> = {
  typescript: "**/*.{ts,tsx,mts,cts}",
  javascript: "**/*.{js,jsx,mjs,cjs}",
  python: "**/*.py",
  rust: "**/*.rs",
  go: "**/*.go",
  java: "**/*.java",
  kotlin: "**/*.{kt,kts}",
  swift: "**/*.swift",
  ruby: "**/*.rb",
  php: "**/*.php",
  c: "**/*.{c,h}",
  "c++": "**/*.{cc,cpp,cxx,h,hh,hpp}",
  "c#": "**/*.cs",
  shell: "**/*.{sh,bash,zsh}",
  markdown: "**/*.{md,mdx}",
  json: "**/*.{json,jsonc}",
  yaml: "**/*.{yml,yaml}",
  toml: "**/*.toml",
  html: "**/*.{html,htm}",
  css: "**/*.{css,scss,less}",
  sql: "**/*.sql",
  test: "**/*{.,_}{test,spec}.*",
};

/** The files that words in front of "files" mean: `TypeScript`, `.ts`, `*.test.ts`, nothing for all; undefined for what is no kind of file. */
export function filesMeant(words: string): { glob: string; name: string } | undefined {
  const kind = words.trim().replace(/^(the|all|any|every|of|my|our)\s+/i, "");
  if (kind === "" || /^(all|the|source|different|total)$/i.test(kind)) return { glob: "**/*", name: "" };
  const glob = Object.hasOwn(languages, kind.toLowerCase()) ? languages[kind.toLowerCase()] : undefined;
  if (glob !== undefined) return { glob, name: `${kind} ` };
  const quoted = kind.replace(/^["'`]|["'`]$/g, "");
  if (/^[\w.@/{},[\]-]*[*?][\w.@/{},[\]*?-]*$/.test(quoted)) return { glob: quoted.includes("/") ? quoted : `**/${quoted}`, name: `\`${quoted}\` ` };
  const ending = /^\.?([a-z0-9]{1,8})$/i.exec(quoted)?.[1];
  return ending === undefined ? undefined : { glob: `**/*.${ending}`, name: `\`.${ending}\` ` };
}

/** The folder that words name: `in src`, `under core/models`; `.` for here. */
export function folderMeant(words: string): string {
  const folder =
    /(?:^|\s)(?:in|under|below|inside|within|of)\s+(?:the\s+)?(?:folder\s+|directory\s+)?["'`]?([\w.@~/-]+)["'`]?(?:\s+(?:folder|directory))?/i.exec(
      words,
    )?.[1];
  const isHere =
    folder === undefined || /^(here|this|the|my|our|it|total|all|current|project|repo|repository|folder|directory|codebase)$/i.test(folder);
  return isHere ? "." : folder.replace(/[.?!]+$/, "") || ".";
}

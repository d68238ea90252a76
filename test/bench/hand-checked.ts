import { readFileSync } from "node:fs";
import type { Source } from "./corpus.ts";
import { corpusFolder } from "./corpus.ts";
import { entriesOf, names } from "./entries.ts";

/** By path below the folder of packages: every function, class and method, as `name:line`. */
type Checked = Record<string, string[]>;

/** What outlines name of the functions, classes and methods of files that were read line by line. */
export function handChecked(files: readonly Source[], outlines: readonly string[]) {
  const checked: Checked = JSON.parse(readFileSync(new URL("hand-checked.json", import.meta.url), "utf8"));
  const found = { files: 0, symbols: 0, found: 0, missed: [] as string[] };
  for (const [at, { path }] of files.entries()) {
    const known = checked[path.slice(corpusFolder.length + 1)];
    if (known === undefined) continue;
    const entries = entriesOf(outlines[at]!);
    found.files++;
    for (const symbol of known) {
      const [, name = "", line = ""] = /^(.*):(\d+)$/.exec(symbol) ?? [];
      found.symbols++;
      if (names(entries, name, Number(line))) found.found++;
      else found.missed.push(`${symbol} in ${path}`);
    }
  }
  return found;
}

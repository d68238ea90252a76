// Parses files, those with errors once more where their language has something to mend, and runs the queries of their languages over them, and nothing
// else: prints milliseconds. Started in the mode of the process for queries.
import { readFileSync } from "node:fs";
import { createGrammars } from "../../core/syntax/server/parser.ts";
import { parseMended } from "../../core/syntax/server/query.ts";

const BUDGET_MS = 60_000;
const { folder, asked, files, before } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const grammars = await createGrammars(folder);
const loaded = new Map();
for (const [ending, { grammar, query, depth, mask = null, mend = null }] of Object.entries(asked)) {
  const parser = await grammars.parser(grammar);
  loaded.set(ending, { parse: parser.parse, query: parser.query(query), mask, mend, options: depth === undefined ? {} : { maxStartDepth: depth } });
}
const textsOf = (list) => list.map(({ ending, path }) => ({ ...loaded.get(ending), text: readFileSync(path, "utf8") }));
const work = (texts) => {
  for (const { parse, query, options, ...text } of texts) {
    const { tree } = parseMended(parse, { ...text, budgetMs: BUDGET_MS });
    query.captures(tree.rootNode, options);
    tree.delete();
  }
};
const texts = textsOf(files);
work(textsOf(before));
const started = performance.now();
work(texts);
console.log(performance.now() - started);

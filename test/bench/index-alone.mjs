// Parses files and runs the queries of their languages over them, and nothing else: prints milliseconds. Started in the mode of the process for queries.
import { readFileSync } from "node:fs";
import { Language, Parser, Query } from "web-tree-sitter";

const { grammars, files, before } = JSON.parse(readFileSync(process.argv[2], "utf8"));
await Parser.init();
const loaded = new Map();
for (const [name, { wasm, query, depth }] of Object.entries(grammars)) {
  const language = await Language.load(wasm);
  const parser = new Parser();
  parser.setLanguage(language);
  loaded.set(name, { parser, query: new Query(language, query), options: depth === undefined ? {} : { maxStartDepth: depth } });
}
const textsOf = (list) => list.map(({ grammar, path }) => ({ ...loaded.get(grammar), text: readFileSync(path, "utf8") }));
const work = (texts) => {
  for (const { parser, query, options, text } of texts) {
    const tree = parser.parse(text);
    query.captures(tree.rootNode, options);
    tree.delete();
  }
};
const texts = textsOf(files);
work(textsOf(before));
const started = performance.now();
work(texts);
console.log(performance.now() - started);

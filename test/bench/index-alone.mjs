// Parses files and runs the queries of their languages over them, and nothing else: prints milliseconds. Started in the mode of the process for queries.
import { readFileSync } from "node:fs";
import { Language, Parser, Query } from "web-tree-sitter";

const { grammars, files } = JSON.parse(readFileSync(process.argv[2], "utf8"));
await Parser.init();
const loaded = new Map();
for (const [name, { wasm, query }] of Object.entries(grammars)) {
  const language = await Language.load(wasm);
  const parser = new Parser();
  parser.setLanguage(language);
  loaded.set(name, { parser, query: new Query(language, query) });
}
const texts = files.map(({ grammar, path }) => ({ ...loaded.get(grammar), text: readFileSync(path, "utf8") }));
const work = () => {
  for (const { parser, query, text } of texts) {
    const tree = parser.parse(text);
    query.captures(tree.rootNode);
    tree.delete();
  }
};
for (const { parser, query, text } of texts.slice(0, 40)) query.captures(parser.parse(text).rootNode);
const started = performance.now();
work();
console.log(performance.now() - started);

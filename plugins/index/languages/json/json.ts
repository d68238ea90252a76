import type { Language } from "../../language.ts";
import query from "./query.scm";

export const json: Language = {
  name: "JSON",
  grammar: "json",
  query,
  extensions: ["json", "jsonc", "json5", "webmanifest", "geojson", "ipynb", "code-workspace", "avsc"],
  fileNames: /^\.(?:babelrc|eslintrc|prettierrc|swcrc|jshintrc|jscsrc|nycrc)$/,
};

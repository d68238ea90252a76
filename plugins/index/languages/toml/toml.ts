import type { Language } from "../../language.ts";
import query from "./query.scm";

export const toml: Language = {
  name: "TOML",
  grammar: "toml",
  query,
  extensions: ["toml"],
  fileNames: /^(?:Cargo\.lock|poetry\.lock|uv\.lock|Pipfile)$/,
  longest: { field: 60 },
};

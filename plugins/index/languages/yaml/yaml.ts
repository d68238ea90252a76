import type { Language } from "../../language.ts";
import query from "./query.scm";

export const yaml: Language = {
  name: "YAML",
  grammar: "yaml",
  query,
  extensions: ["yaml", "yml", "clangd"],
  fileNames: /^(?:\.clang-format|\.clang-tidy)$/,
  line: (text) =>
    text
      .replace(/^(?:- |\? )\s*/, "")
      .replace(/\s*&\S+$/, "")
      .replace(/:$/, ""),
};

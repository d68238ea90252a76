import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const php: Language = {
  name: "PHP",
  grammar: "php",
  query,
  extensions: ["php", "phtml", "php5", "php7", "php8", "inc"],
  shebang: /^php[\d.]*$/,
  strip: {
    mod: /^namespace\s+/,
    consts: /^const\s+/,
    fns: /\bfunction\b\s*/,
    method: /\bfunction\s+/,
    classes: /(?<!\bnew\s)\bclass\s+/,
  },
  imports: { separator: "\\", read: imported },
};

/** `use function A\B, C\{D, E as F};` and what is included by path. */
function imported(text: string): Import[] {
  const [, kind, list] = /^use\s+(function\s+|const\s+)?(.*?)\s*;?$/.exec(text) ?? [];
  if (list === undefined) {
    const [, how = "require", path = text] = /^(\w+)[\s(]+(.*?)\)?\s*;?$/.exec(text) ?? [];
    return [{ keyword: how, path: [path] }];
  }
  const keyword = kind === undefined ? {} : { keyword: kind.trim() };
  const [, before, group] = /^(.*?)\\?\{(.*)\}$/.exec(list) ?? [];
  const names = (group ?? list).split(",").map((name) => name.trim());
  return names
    .filter((name) => name !== "")
    .map((name) => ({
      ...keyword,
      path: [...(before === undefined || group === undefined ? [] : before.split("\\")), ...name.replace(/^\\/, "").split("\\")],
    }));
}

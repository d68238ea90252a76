import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const ruby: Language = {
  name: "Ruby",
  grammar: "ruby",
  query,
  extensions: ["rb", "rake", "gemspec", "ru", "podspec", "rbw"],
  fileNames: /^(?:Rakefile|Gemfile|Guardfile|Vagrantfile|Podfile|Brewfile|Capfile|Fastfile)$/,
  shebang: /^(?:ruby|rake|jruby)[\d.]*$/,
  strip: { mod: /^module\s+/, classes: /^class\s+/, fns: /\bdef\s+/ },
  line: (text, kind) => (kind === "fns" || kind === "classes" || kind === "mod" ? text.replace(/\s*;?\s*\bend$/, "") : text),
  imports: { separator: "/", read: imported },
};

/** `require "a/b"`. */
function imported(text: string): Import[] {
  const [, method = "", argument = ""] = /^(\w+)[\s(]+(.*?)\)?$/.exec(text) ?? [];
  const quoted = /^(["'])([^"'#]*)\1$/.exec(argument)?.[2];
  return [{ ...(method === "require" ? {} : { keyword: method }), path: quoted === undefined ? [argument] : quoted.split("/") }];
}

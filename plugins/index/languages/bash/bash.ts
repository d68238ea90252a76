import type { Language } from "../../language.ts";
import query from "./query.scm";

export const bash: Language = {
  name: "Bash",
  grammar: "bash",
  query,
  extensions: ["sh", "bash", "zsh", "ksh", "bats", "ebuild", "eclass"],
  fileNames: /^(?:\.(?:bashrc|bash_profile|bash_aliases|bash_logout|profile|zshrc|zshenv|zprofile|envrc)|PKGBUILD|APKBUILD)$/,
  shebang: /^(?:ba|z|k|da|a)?sh$/,
  strip: { import: /^(?:source|\.)\s+/, fns: /^function\s+/ },
  line: (text, kind) => (kind === "fns" ? `${text.replace(/\s*\(\s*\)$/, "")}()` : text),
};

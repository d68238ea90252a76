import type { Language } from "../../language.ts";
import query from "./query.scm";

export const hcl: Language = {
  name: "HCL",
  grammar: "hcl",
  query,
  extensions: ["hcl", "tf", "tfvars", "nomad"],
  line: (text, kind) => (kind === "blocks" ? text.replace(/"/g, "") : text),
};

import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

/** Rules by their selectors; of declarations only the custom properties. */
export const css: Language = {
  name: "CSS",
  grammar: "css",
  query,
  extensions: ["css"],
  longest: { rules: 100, method: 100, field: 60 },
  imports: { separator: " ", read: imported },
};

/** `@import url("base.css") screen;` */
export function imported(text: string): Import[] {
  return text
    .replace(/^@(?:import|use|forward)\s+/, "")
    .split(/,\s*(?=["'])/)
    .map((each) => ({
      path: [
        each
          .replace(/\s*;\s*$/, "")
          .replace(/^url\(\s*|\s*\)(?=\s|$)/g, "")
          .replace(/["']/g, ""),
      ],
    }));
}

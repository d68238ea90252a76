import type { Import, Language } from "../../language.ts";
import { leading } from "../../leading.ts";
import query from "./query.scm";

export const zig: Language = {
  name: "Zig",
  grammar: "zig",
  query,
  extensions: ["zig", "zon"],
  strip: { fns: leading("fn"), method: leading("fn"), consts: leading("const"), types: leading("const"), test: /^test\s+/ },
  line: (text, kind) => (kind === "types" ? text.replace(/\s*=\s*((?:packed |extern )?(?:struct|enum|union|opaque|error)\b.*)$/, " = $1") : text),
  imports: { separator: "/", read: imported },
};

/** `const std = @import("std");` */
function imported(text: string): Import[] {
  const [, path = text] = /@import\("([^"]*)"\)/.exec(text) ?? [];
  const [, field = ""] = /@import\("[^"]*"\)((?:\.\w+)+)/.exec(text) ?? [];
  return [{ path: [path + field] }];
}

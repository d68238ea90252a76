import type { Import, Language } from "../../language.ts";
import { leading } from "../../leading.ts";
import query from "./query.scm";

export const swift: Language = {
  name: "Swift",
  grammar: "swift",
  query,
  extensions: ["swift"],
  shebang: /^swift$/,
  strip: {
    consts: leading("let"),
    fns: leading("func"),
    method: leading("func"),
    classes: leading("class"),
    traits: leading("protocol"),
    impls: leading("extension"),
  },
  imports: { separator: ".", read: imported },
};

/** `@testable import struct A.B`. */
function imported(text: string): Import[] {
  const [, before = "", kind, path = ""] = /^(.*?)import\s+(?:(typealias|struct|class|enum|protocol|let|var|func)\s+)?(\S+)/.exec(text) ?? [];
  const keyword = [before.trim(), kind ?? ""].filter((word) => word !== "").join(" ");
  return [{ ...(keyword === "" ? {} : { keyword }), path: path.split(".") }];
}

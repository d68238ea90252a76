import type { Language } from "../language.ts";
import { bash } from "./bash/bash.ts";
import { c } from "./c/c.ts";
import { cSharp } from "./c_sharp/c_sharp.ts";
import { cpp, header } from "./cpp/cpp.ts";
import { go } from "./go/go.ts";
import { java } from "./java/java.ts";
import { javascript } from "./javascript/javascript.ts";
import { json } from "./json/json.ts";
import { markdown } from "./markdown/markdown.ts";
import { php } from "./php/php.ts";
import { python } from "./python/python.ts";
import { ruby } from "./ruby/ruby.ts";
import { rust } from "./rust/rust.ts";
import { tsx } from "./tsx/tsx.ts";
import { typescript } from "./typescript/typescript.ts";

/** Every language there is a folder for. */
export const languages: readonly Language[] = [
  bash,
  c,
  cpp,
  cSharp,
  go,
  header,
  java,
  javascript,
  json,
  markdown,
  php,
  python,
  ruby,
  rust,
  tsx,
  typescript,
];

import type { Language } from "../language.ts";
import { bash } from "./bash/bash.ts";
import { c } from "./c/c.ts";
import { cSharp } from "./c_sharp/c_sharp.ts";
import { cpp, header } from "./cpp/cpp.ts";
import { css } from "./css/css.ts";
import { dockerfile } from "./dockerfile/dockerfile.ts";
import { elixir } from "./elixir/elixir.ts";
import { go } from "./go/go.ts";
import { graphql } from "./graphql/graphql.ts";
import { haskell } from "./haskell/haskell.ts";
import { hcl } from "./hcl/hcl.ts";
import { html } from "./html/html.ts";
import { java } from "./java/java.ts";
import { javascript } from "./javascript/javascript.ts";
import { json } from "./json/json.ts";
import { julia } from "./julia/julia.ts";
import { kotlin } from "./kotlin/kotlin.ts";
import { lua } from "./lua/lua.ts";
import { make } from "./make/make.ts";
import { markdown } from "./markdown/markdown.ts";
import { ocaml, ocamlInterface } from "./ocaml/ocaml.ts";
import { php } from "./php/php.ts";
import { protobuf } from "./protobuf/protobuf.ts";
import { python } from "./python/python.ts";
import { ruby } from "./ruby/ruby.ts";
import { rust } from "./rust/rust.ts";
import { scala } from "./scala/scala.ts";
import { scss } from "./scss/scss.ts";
import { sql } from "./sql/sql.ts";
import { swift } from "./swift/swift.ts";
import { toml } from "./toml/toml.ts";
import { tsx } from "./tsx/tsx.ts";
import { typescript } from "./typescript/typescript.ts";
import { vue } from "./vue/vue.ts";
import { yaml } from "./yaml/yaml.ts";
import { zig } from "./zig/zig.ts";

/** Every language there is a folder for. */
export const languages: readonly Language[] = [
  bash,
  c,
  cSharp,
  cpp,
  css,
  dockerfile,
  elixir,
  go,
  graphql,
  haskell,
  hcl,
  header,
  html,
  java,
  javascript,
  json,
  julia,
  kotlin,
  lua,
  make,
  markdown,
  ocaml,
  ocamlInterface,
  php,
  protobuf,
  python,
  ruby,
  rust,
  scala,
  scss,
  sql,
  swift,
  toml,
  tsx,
  typescript,
  vue,
  yaml,
  zig,
];

/**
 * Where the build takes the grammars from: a language, the package and the file in it, and the hash of exactly what was tried.
 * The build refuses any other. `tiers`: with these the wasm may tier up, which makes parsing half as fast again and was measured to cost at most 70 MB;
 * others take hundreds of MB or gigabytes for it.
 */
export const grammars = {
  bash: { package: "tree-sitter-bash", path: "tree-sitter-bash.wasm", sha256: "8292919c88a0f7d3fb31d0cd0253ca5a9531bc1ede82b0537f2c63dd8abe6a7a" },
  c: {
    package: "tree-sitter-c",
    path: "tree-sitter-c.wasm",
    sha256: "c852c2a85ebf2beb636aa3b0ef7f7e70458684d74f6741b20dcb296885bed9f9",
    tiers: true,
  },
  c_sharp: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-c-sharp.wasm",
    sha256: "d12d85996c25957b4c1b71e26db2d7cc8a294997b60642e9c2a3b031b2c66dd3",
  },
  cpp: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-cpp.wasm",
    sha256: "77a65bd42f43c2dcd69af40c12a6c32d6ed81d360c025e9feb28911f8339fd69",
    tiers: true,
  },
  css: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-css.wasm",
    sha256: "8a23977fe271357cce6f254ef88c9bebf3854602d8046605aef6a45c02135c59",
  },
  elixir: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-elixir.wasm",
    sha256: "fd08bc9370b5d10041253defd73d0f4e532d0d0abebf859c2a04e32e3ae9447c",
  },
  go: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-go.wasm",
    sha256: "9504573f352b20be7f2f1911754d710622aedc15afff16d5ed8fb5645681aee7",
    tiers: true,
  },
  haskell: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-haskell.wasm",
    sha256: "c9aaa7e4ef5e83d26445be61f17fc64eef3419ebf4fec720419cd75233e1de7f",
  },
  hcl: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-hcl.wasm",
    sha256: "c1c772204555f3fef0431c12b51f1f9d137c5e87a86f035f44fa5060a7f1089a",
  },
  html: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-html.wasm",
    sha256: "ec7c54421f09faf65fa4d03229d2a21539e51d9f5c00c19f63bf5c5e5bc31a74",
  },
  java: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-java.wasm",
    sha256: "4fdeac4ca6ca089f06c6f7e562abcac1733cd465728cc7031ebb73c2019122c4",
    tiers: true,
  },
  javascript: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-javascript.wasm",
    sha256: "5fb488d0cabb4775a594bab85682de5ad6ce83c0d6ac997a9f82dd084d571240",
    tiers: true,
  },
  json: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-json.wasm",
    sha256: "f0977eb14f866e5e3312f9111e009e702fd821d816de755162b89fff69708941",
  },
  julia: { package: "tree-sitter-julia", path: "tree-sitter-julia.wasm", sha256: "e0f52c36eadf0299e46fccd6715c760d35eaa3f09721bec38633da551ac9e781" },
  kotlin: {
    package: "@tree-sitter-grammars/tree-sitter-kotlin",
    path: "tree-sitter-kotlin.wasm",
    sha256: "7009d69453bc8735e438b2818a633efb21c88f99782769abba60dffedfab73f7",
  },
  lua: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-lua.wasm",
    sha256: "0623b094bb7809610feb864c502997f720e7bb928b3874eba68df09fbf47ab37",
  },
  make: { package: "tree-sitter-make", path: "tree-sitter-make.wasm", sha256: "1254d1e5787be8bb944d55d1f6552b6b2b7908272ed498013bfdc07bd7d042dd" },
  markdown: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-markdown.wasm",
    sha256: "6c3dd2e84ffb3bf0e14f03374147726c075a62fa91370c15eeb1381c1aa55ae8",
  },
  ocaml: { package: "tree-sitter-ocaml", path: "tree-sitter-ocaml.wasm", sha256: "761a78a804931cfac1fa0c6238989b4b0e86cc70db461b1315d743de923f8246" },
  ocaml_interface: {
    package: "tree-sitter-ocaml",
    path: "tree-sitter-ocaml_interface.wasm",
    sha256: "c065e8da9052899592bd68c820ffda076e23394129de14c0bd2c46b189415ea9",
  },
  php: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-php.wasm",
    sha256: "d4df6a6ff08c87c3ec4f9cbb785fe09998a0cb570e03f57d7b19b3acfb146aa7",
  },
  python: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-python.wasm",
    sha256: "16108b50df4ee9a30168794252ab55e7c93bfc5765d7fa0aa3e335752c515f47",
    tiers: true,
  },
  ruby: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-ruby.wasm",
    sha256: "09a96427d7c72f0613ed470cd9812223fc4a91d6a9c025c0235cc6bd59ff96f4",
  },
  rust: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-rust.wasm",
    sha256: "0dac14947cb04d94466e3df659f80a4e264c216a60b3eda175eae4cf12ed7a8d",
    tiers: true,
  },
  scala: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-scala.wasm",
    sha256: "39c05ccbb11f3dd32144c7e7fca40bd8b4681cce766b1006f831e78fa299d9b7",
  },
  scss: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-scss.wasm",
    sha256: "221d04702ac4ec1939ecd17fffd2afd711f8e14dd294821c68dec38c1e8d88f2",
  },
  swift: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-swift.wasm",
    sha256: "b175c62113c7d6c9957347a11e30862b74c39cbd44b7ff47ae324a72e34dc927",
  },
  toml: {
    package: "@tree-sitter-grammars/tree-sitter-toml",
    path: "tree-sitter-toml.wasm",
    sha256: "1ac6a83826c35a68857f8325e00c78f6bcbef4eb6db3931a6cf3041f76e5e09f",
  },
  tsx: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-tsx.wasm",
    sha256: "79e5da75ea62855a0cd67177685f0164eac87d5f630b3cbe1e0a099751ad30f8",
    tiers: true,
  },
  typescript: {
    package: "@vscode/tree-sitter-wasm",
    path: "wasm/tree-sitter-typescript.wasm",
    sha256: "778025db5a8be0e70f8ccc3671e486dfeddd048c25d9e8a70c26de2e1bf6f97d",
    tiers: true,
  },
  vue: {
    package: "@repomix/tree-sitter-wasms",
    path: "out/tree-sitter-vue.wasm",
    sha256: "8c6d964ca8830b644d14e173f7b0f2d4d9dbcac1c4bdad0e0df2b799a1b58150",
  },
  yaml: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-yaml.wasm",
    sha256: "bf34090ea57985b7d562cfa60401643a68214e175893c76a65ce08f5a4bbcd50",
  },
  zig: {
    package: "@cursorless/tree-sitter-wasms",
    path: "out/tree-sitter-zig.wasm",
    sha256: "b87508b89eb5656603b033bd9b7585aad5addc11eff958315c650009cbc20821",
  },
};

/** Where entries are shown, in this order. */
export const sections = [
  "exports",
  "mod",
  "consts",
  "rules",
  "instructions",
  "targets",
  "blocks",
  "types",
  "traits",
  "impls",
  "fns",
  "classes",
  "macros",
  "headings",
  "tests",
] as const;

export type Section = (typeof sections)[number];

/** What a capture may be: an entry of a section, or a part of one. A method has a range, a field has none, and a brief is a name in a list. */
export type Kind = Section | "method" | "field" | "brief" | "import" | "test" | "module" | "whole";

/** Something that is listed, in the order of the text. Rows count from 0. */
export type Item = {
  kind: Kind;
  /** What is written up to its body. */
  text: string;
  /** What is written behind its body, where that names it. */
  tail?: string;
  /** With the comments and attributes directly above it. */
  startRow: number;
  endRow: number;
  /** A field that has a range all the same. */
  ranged?: true;
  attrs: string[];
  children: Item[];
};

/** One imported thing: the parts of its path, and the keyword it was imported with where that is not the usual one. */
export type Import = { keyword?: string; path: readonly string[] };

/** What all languages say of themselves. */
type Described = {
  /** As a person calls it. */
  name: string;
  /** Endings of file names, without the dot, in lower case. */
  extensions: readonly string[];
  /** Whole file names. */
  fileNames?: RegExp;
  /** Programs that a first line names. */
  shebang?: RegExp;
  /** What is left out of the text of an entry: keywords that its section says already. Of types and the like only at the top. */
  strip?: Partial<Record<Kind, RegExp>>;
  /** How an entry reads, after `strip`; with blanks folded and without what trails. */
  line?(text: string, kind: Kind): string;
  /** Arranges the items of a whole file, where the tree does not. The item `whole` is the file. */
  shape?(items: readonly Item[]): Item[];
  /** What an import statement imports; without it the statement is shown as it reads. */
  imports?: { separator: string; read(text: string): readonly Import[] };
  /** The longest text of an entry, in characters; 60 for consts and 240 for others unless said. */
  longest?: Partial<Record<Kind, number>>;
};

/** A language that is read by its grammar. */
export type GrammarLanguage = Described & {
  /** Its name in the host's table of grammars. */
  grammar: string;
  query: string;
  /** A regular expression (`gm`) for what the grammar takes for something else: read as blanks. */
  mask?: string;
  /** The same where the file has errors otherwise. */
  mend?: string;
  /** Characters that may be wrong without a word: macros that the grammar does not know hide nothing that is listed. */
  overlooked?: number;
  /** How deep in the tree something may begin that is listed. Less is faster. */
  depth?: number;
  /** Tried where this one finds syntax errors. */
  orElse?: GrammarLanguage;
  /** What else is written in the file, with a `mask` for all that is not: shown below. */
  inside?: readonly GrammarLanguage[];
};

/** A language without a grammar, whose items are found in the text. */
export type ScannedLanguage = Described & { scan(text: string): Item[] };

export type Language = GrammarLanguage | ScannedLanguage;

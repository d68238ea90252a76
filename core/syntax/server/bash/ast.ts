/** Bash text as it is read: what it says, before anything is expanded. */
export type Script = { items: Item[] };
/** A pipeline or list of them; `background` where `&` stands behind it. */
export type Item = { node: Node; background: boolean };

export type Node =
  | Simple
  | { kind: "pipeline"; parts: Node[]; negated: boolean }
  | { kind: "andor"; first: Node; rest: { op: "&&" | "||"; node: Node }[] }
  | Compound
  | { kind: "function"; name: string; body: Node }
  | { kind: "coproc"; name: string; body: Node };

export type Simple = { kind: "simple"; assigns: WordNode[]; words: WordNode[]; redirects: Redirect[] };

/** Redirects stand behind any of these. */
export type Compound = { redirects: Redirect[] } & (
  | { kind: "group"; body: Script; subshell: boolean }
  | { kind: "if"; clauses: { condition: Script; body: Script }[]; otherwise: Script | undefined }
  | { kind: "while"; condition: Script; body: Script }
  /** Without `in`, the words are undefined. `select` too. */
  | { kind: "for"; name: string; words: WordNode[] | undefined; body: Script }
  | { kind: "count"; header: Arithmetic[]; body: Script }
  | { kind: "case"; subject: WordNode; arms: { patterns: WordNode[]; body: Script }[] }
  | { kind: "arithmetic"; expression: Arithmetic }
  /** `[[ ... ]]`, operators and words in order. */
  | { kind: "test"; tokens: TestToken[]; raw: string }
);

export type TestToken = { op: string; word?: undefined } | { op?: undefined; word: WordNode };

export type Redirect = {
  /** `<` `>` `>>` `>|` `<>` `<&` `>&` `&>` `&>>` `<<` `<<-` `<<<` */
  op: string;
  /** The descriptor as written, or the variable's name in braces. */
  fd: string | undefined;
  target: WordNode;
  heredoc?: Heredoc;
};

/** `parts` is what stands in the body; all of it text where the delimiter is quoted. */
export type Heredoc = { delimiter: string; quoted: boolean; strips: boolean; parts: Part[]; raw: string };

export type WordNode = {
  parts: Part[];
  /** As it is written. */
  raw: string;
  start: number;
  /** `name=`, `name+=` or `name[index]=`: `parts` is the value then. */
  assign?: { name: string; index: Part[] | undefined; append: boolean };
};

export type Part =
  | { kind: "text"; text: string; quoted: boolean }
  | { kind: "param"; quoted: boolean; param: Param }
  | { kind: "command"; quoted: boolean; form: "$(" | "`" | "<(" | ">(" | "${"; script: Script; raw: string }
  | { kind: "arithmetic"; quoted: boolean; expression: Arithmetic }
  /** The value of `name=(...)`. */
  | { kind: "array"; items: WordNode[] };

export type Param = {
  name: string;
  raw: string;
  /** `${!name}` */
  indirect: boolean;
  /** `${#name}` */
  length: boolean;
  index: Part[] | undefined;
  /** What stands behind the name: `:-`, `#`, `@P` ... and its word. */
  op: string;
  word: Part[];
};

export type Arithmetic = { raw: string; parts: Part[] };

/** What reading yields: `error` where bash would not read on, with all that was read before. */
export type Parsed = {
  script: Script;
  error: string | undefined;
  /** Places where bash may read something else. */
  doubts: string[];
  /** Where commands and comments begin, but for those in backquotes and heredocs. */
  starts: number[];
  comments: number[];
  escapes: number[];
};

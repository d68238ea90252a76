import type { Window } from "./fs.ts";

export type SyntaxQuery = {
  /** A language with a grammar, as `typescript` or `c_sharp`; a wrong one is refused with those there are. */
  language: string;
  /** Captures whose names begin with `_` are left out. */
  query: string;
  /** A regular expression. What matches is read as blanks: what the grammar takes for something else, as macros. */
  mask?: string;
  /** The same where the text has errors otherwise. */
  mend?: string;
  /** How deep in the tree a pattern may begin. Less is faster. */
  depth?: number;
  /** 1000 unless said, 200 000 at most. */
  maxCaptures?: number;
  texts?: {
    /** Characters of each capture's text that are given. */
    max?: number;
    /** The text of a capture ends where the first capture of this name begins that lies in it, also of one that does not come along. */
    until?: string;
    /** Names of captures that come with empty text. */
    without?: readonly string[];
  };
};

export type SyntaxCapture = {
  name: string;
  /** The type of the node. */
  type: string;
  start: number;
  end: number;
  /** Counted from 0. The last row is that of the last character that is no space. */
  startRow: number;
  endRow: number;
  startColumn: number;
  text: string;
};

export type SyntaxAnswer = {
  /** In the order of the text. */
  captures: SyntaxCapture[];
  truncated: boolean;
  /** Whether a part of the text is not of the language. */
  hasError: boolean;
  /** Characters that are not of it, as far as the parser can say; 1 at least where there is an error. */
  wrong: number;
  /** The file still has the hash that `unless` named: nothing was parsed. */
  unchanged: boolean;
  /** Of a file: its hash, size, and whether bytes that are no UTF-8 were replaced. A binary file has no captures. */
  hash?: string;
  bytes?: number;
  encoding?: Window["encoding"];
  invalid?: boolean;
};

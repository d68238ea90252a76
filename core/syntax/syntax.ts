/** One word of a command after quote removal. Where bash decides what it is only when it runs, `static` is false and `text` is its source. */
export type ParsedWord = { text: string; static: boolean };

/** An assignment in front of a command, or alone. */
export type ParsedAssignment = { name: string; value: ParsedWord };

/** A file that a redirect opens. Copies of descriptors, heredocs and `/dev/null` are none. */
export type ParsedRedirect = { access: "read" | "write"; target: ParsedWord };

/** One simple command that bash text would run. */
export type ParsedCommand = {
  /** As it is written, without its redirects. */
  text: string;
  /** Its words without assignments and redirects; empty for an assignment or a redirect alone. */
  argv: ParsedWord[];
  assignments: ParsedAssignment[];
  redirects: ParsedRedirect[];
};

/** What bash text would do. */
export type Commands = {
  /** Every simple command, in source order, a wrapper before what it runs. */
  commands: ParsedCommand[];
  /** Not everything that would run is known. */
  forcePrompt: boolean;
  /** The text was not understood: `commands` is what was found all the same, for deny rules. */
  unparseable: boolean;
  /** Why, in a few words. */
  reason?: string;
};

export type QueryRequest = { language: "bash"; text: string; query: string; maxCaptures?: number };
export type QueryResult = {
  captures: { name: string; type: string; start: number; end: number; startRow: number; endRow: number; text: string }[];
  truncated: boolean;
  hasError: boolean;
};

/** Parses text in a supervised process of its own, which is started on first use. */
export type Syntax = {
  /** Never throws: what fails is unparseable. */
  commands(text: string): Promise<Commands>;
  /** Throws `syntax_failed`. */
  query(request: QueryRequest): Promise<QueryResult>;
  close(): Promise<void>;
};

export type SyntaxOptions = {
  /** The Node to run the process with; this process's own unless said. */
  execPath?: string;
};

export function createSyntax(_options: SyntaxOptions = {}): Syntax {
  return {
    commands: async () => ({ commands: [], forcePrompt: true, unparseable: true, reason: "no parser" }),
    query: async () => ({ captures: [], truncated: false, hasError: true }),
    close: async () => {},
  };
}

/** What was typed: the character that a mention begins with, and what follows it so far. */
export type CompletionRequest = {
  trigger: string;
  query: string;
  /** The host's own unless said. */
  cwd?: string;
  sessionId?: string;
  /** Rows in all: 50 unless said, 200 at most. */
  limit?: number;
  /** Answer after so many milliseconds with what there is; `onMore` is told once, when the rest has come. */
  patienceMs?: number;
  onMore?(completion: Completion): void;
};

/** One line each, with nothing in them that a person could not see. */
export type CompletionRow = {
  /** Replaces the mention, with its trigger. */
  text: string;
  label: string;
  description: string | null;
  score: number;
  /** Whose it is: the name of the source, and `host` or a plugin. */
  source: string;
  plugin: string;
};

export type AskedSource = { name: string; plugin: string; rows: number; ms: number; failure: { code: string; message: string } | null };

/** Rows in the order to be shown, and what became of each source that was asked. */
export type Completion = {
  rows: readonly CompletionRow[];
  sources: readonly AskedSource[];
  /** False where a source has not answered yet, or files are still being found. */
  isWhole: boolean;
};

/** A source as it came out of the chain. */
export type FoundSource = { trigger: string; name: string; plugin: string };

export type Completions = {
  /** Never rejects: what fails is left out. */
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>;
  /** The sources there are now. */
  sources(sessionId?: string): Promise<readonly FoundSource[]>;
  close(): Promise<void>;
};

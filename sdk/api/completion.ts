/** What a source of completions offers: `text` replaces what was typed, with its trigger. */
export type CompletionItem = {
  /** One line of 1,000 characters at most, without characters that nobody sees. */
  text: string;
  /** Shown instead of the text. */
  label?: string;
  /** Shown beside it. */
  description?: string;
  /** Higher comes first; 0 unless said, as files are. */
  score?: number;
};

export type CompletionCtx = {
  trigger: string;
  sessionId: string;
  /** The folder that the session works in. */
  cwd: string;
  deadlineMs: number;
  /** Whether nobody waits for the answer any more, since more was typed or the time is up. */
  cancelled(): boolean;
};

/** A source of completions. Those of others come without `complete`, which stays in their isolates. */
export type CompletionSource = {
  /** One character, no letter, digit, space or `/`: it begins a mention at the start of a word. */
  trigger: string;
  /** Of two with one name the first counts. */
  name: string;
  /** `host`, or the plugin whose it is; set by the host. */
  plugin?: string;
  /** The items for what was typed after the trigger, with 1 s for each query. They are shown as they are, so leave out what does not fit. */
  complete?(query: string, ctx: CompletionCtx): readonly CompletionItem[] | undefined | Promise<readonly CompletionItem[] | undefined>;
};

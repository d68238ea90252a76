/** A call since the last words of the user, and what it gave. */
export type Done = { tool: string; input: Readonly<Record<string, unknown>>; text: string; isError: boolean };

/** What a rule looks at. */
export type Asked = {
  /** The last words of the user. */
  text: string;
  /** Calls since then that have results, in order. */
  done: readonly Done[];
  /** Names of the tools that may be called. */
  tools: ReadonlySet<string>;
};

export type Call = { tool: string; input: Readonly<Record<string, unknown>> };

/** Words, then calls; without calls the turn ends. */
export type Reply = { text: string; calls?: readonly Call[] };

export type Rule = {
  name: string;
  /** Words that a user may write to try it. */
  example: string;
  /** Tools that it cannot work without. */
  needs: readonly string[];
  /** What the words ask of this rule; undefined where they ask something else. */
  answer(asked: Asked): Reply | undefined;
};

/** The results of calls of a tool, in order. */
export function resultsOf(asked: Asked, tool: string): Done[] {
  return asked.done.filter((each) => each.tool === tool);
}

/** The sentence for a call that failed. */
export function failed({ tool, text }: Done): Reply {
  return { text: `\`${tool}\` failed:\n\n${fenced(text)}` };
}

/** A text of a tool as a code block, whatever backticks are in it. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

export function counted(count: number, of: string): string {
  return `${count} ${of}${count === 1 ? "" : "s"}`;
}

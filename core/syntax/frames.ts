import * as z from "zod/mini";

/** What the syntax process answers. It is believed no further than this. */

/** After quote removal. Where bash decides what a word is only when it runs, it is not static and its expansions are as written. */
const Word = z.object({ text: z.string(), static: z.boolean(), /** It begins with an unquoted `~/`. */ tilde: z.optional(z.literal(true)) });

/** A simple command that would run. */
const Command = z.object({
  /** As it is written, without redirects and assignments; the assignments, where there is nothing else. */
  text: z.string(),
  /** Empty for assignments or redirects alone. */
  argv: z.array(Word),
  assignments: z.array(z.object({ name: z.string(), value: Word })),
  /** Files that redirects open. Copies of descriptors, heredocs and `/dev/null` are none. */
  redirects: z.array(z.object({ access: z.enum(["read", "write"]), target: Word })),
  /** Inline code for an interpreter of another language. */
  code: z.array(Word),
  /** It needs no permission of its own: a wrapper around what follows, or a test of plain words. */
  passive: z.boolean(),
  /** A wrapper, shell or interpreter, which is nothing to be allowed in general. */
  runner: z.boolean(),
});

export const CommandsAnswer = z.object({
  /** In source order, a wrapper before what it runs. */
  commands: z.array(Command),
  /** Not everything that would run is known. */
  forcePrompt: z.boolean(),
  /** The text was not understood: `commands` is what was found all the same, for rules that deny. */
  unparseable: z.boolean(),
  /** Why, in a few words. */
  reason: z.optional(z.string()),
});

export const QueryAnswer = z.object({
  captures: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      start: z.number(),
      end: z.number(),
      startRow: z.number(),
      endRow: z.number(),
      text: z.string(),
    }),
  ),
  truncated: z.boolean(),
  hasError: z.boolean(),
});

/** Every frame: which request it answers, that the process is ready, or why it failed. */
export const Frame = z.looseObject({ id: z.number(), ready: z.optional(z.boolean()), failed: z.optional(z.string()) });

export type ParsedWord = z.infer<typeof Word>;
export type ParsedCommand = z.infer<typeof Command>;
export type Commands = z.infer<typeof CommandsAnswer>;
export type QueryResult = z.infer<typeof QueryAnswer>;

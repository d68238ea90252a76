import * as z from "zod/mini";

/** What the syntax process answers. It is believed no further than this. */

const Word = z.object({ text: z.string(), static: z.boolean(), tilde: z.optional(z.literal(true)) });

const Command = z.object({
  text: z.string(),
  argv: z.array(Word),
  assignments: z.array(z.object({ name: z.string(), value: Word })),
  redirects: z.array(z.object({ access: z.enum(["read", "write"]), target: Word })),
  code: z.array(Word),
  passive: z.boolean(),
});

export const CommandsAnswer = z.object({
  commands: z.array(Command),
  forcePrompt: z.boolean(),
  unparseable: z.boolean(),
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

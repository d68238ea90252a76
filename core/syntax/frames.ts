import * as z from "zod/mini";

/** What the syntax process answers. It is believed no further than this. */

/** After quote removal. Where bash decides what a word is only when it runs, it is not static and its expansions are as written. */
const Word = z.object({
  text: z.string(),
  static: z.boolean(),
  /** It begins with an unquoted `~`. */
  tilde: z.optional(z.literal(true)),
  /** What bash makes of it where that is known but not the text: one of these; all of them, as words of their own, where `spread`. */
  values: z.optional(z.array(z.string())),
  spread: z.optional(z.literal(true)),
  /** What a word that is not known begins with. */
  lead: z.optional(z.string()),
  /** What is not known of it stays in the folder that `lead` names. */
  contained: z.optional(z.literal(true)),
  /** It may become any number of words. */
  many: z.optional(z.literal(true)),
});

/** A file or folder that a command would use. Copies of descriptors, heredocs and `/dev/null` are none. */
const File = z.object({
  access: z.enum(["read", "write"]),
  text: z.string(),
  /** All it may be, absolute, as the shell names them: links are not followed, `..` is not folded. Left out where that is not known. */
  paths: z.optional(z.array(z.string())),
  /** What lies below may be meant. */
  below: z.optional(z.literal(true)),
  /** The program's name says that it writes. */
  own: z.optional(z.literal(true)),
  /** A folder that the command works in. */
  folder: z.optional(z.literal(true)),
  /** A redirect opens it. */
  redirect: z.optional(z.literal(true)),
});

/** A simple command that would run. */
const Command = z.object({
  /** As it is written, without redirects and assignments; the assignments, where there is nothing else. */
  text: z.string(),
  /** Empty for assignments or redirects alone. */
  argv: z.array(Word),
  assignments: z.array(
    z.object({
      name: z.string(),
      value: Word,
      /** It changes nothing but how much a program says. */
      harmless: z.boolean(),
      /** It changes what programs run, load or trust. */
      steers: z.boolean(),
    }),
  ),
  /** Folders it may run in, as the shell names them. Left out where none is known. */
  cwd: z.optional(z.array(z.string())),
  files: z.array(File),
  urls: z.array(z.string()),
  /** Inline code for an interpreter of another language. */
  code: z.array(Word),
  /** It needs no permission of its own: a wrapper around what follows, or a test of plain words. */
  passive: z.boolean(),
  /** It may be no command at all: what rules say of it is asked about. */
  guessed: z.optional(z.literal(true)),
  /** A wrapper, shell or interpreter, which is nothing to be allowed in general. */
  runner: z.boolean(),
  /** The worst it does itself; what it runs are commands of their own. */
  does: z.enum(["reads", "network", "unknown", "writes", "runs"]),
  /** Its words without the options in front of a subcommand, whose name is the usual one. */
  subject: z.optional(z.array(Word)),
  /** How many words of `subject` a rule in general keeps. Left out where only the exact command is to be kept. */
  keeps: z.optional(z.number()),
  /** The wrappers whose last words it is, the next first, and where in theirs its own begin. */
  within: z.array(z.object({ argv: z.array(Word), from: z.number() })),
  /** The wrappers, shells and substitutions that lead to it. */
  via: z.array(z.string()),
});

export const UnderstoodAnswer = z.object({
  /** In source order, a wrapper before what it runs. */
  commands: z.array(Command),
  /** Not everything that would run is known. */
  forcePrompt: z.boolean(),
  /** The text was not understood: `commands` is what was found all the same, for rules that deny. */
  unparseable: z.boolean(),
  /** What could not be resolved, as it is written, and why in a few words. */
  unresolved: z.array(z.object({ text: z.string(), reason: z.string() })),
  /** Why a prompt is forced: the first of them. */
  reason: z.optional(z.string()),
});

/** The captures are relayed unread to the plugin that asked, which is the one they are for. */
export const QueryAnswer = z.object({ captures: z.string(), truncated: z.boolean(), hasError: z.boolean(), wrong: z.number() });

/**
 * Every frame: that the process is ready, or answers in the order they were asked for, each with the request it answers or why that failed.
 * After a fatal one the process is of no more use.
 */
export const Frame = z.union([
  z.object({
    answers: z.array(z.looseObject({ id: z.number(), failed: z.optional(z.string()), fatal: z.optional(z.boolean()) })).check(z.minLength(1)),
  }),
  z.object({ ready: z.literal(true) }),
]);

export type ParsedWord = z.infer<typeof Word>;
export type ParsedFile = z.infer<typeof File>;
export type ParsedCommand = z.infer<typeof Command>;
export type Understood = z.infer<typeof UnderstoodAnswer>;
export type QueryResult = z.infer<typeof QueryAnswer>;

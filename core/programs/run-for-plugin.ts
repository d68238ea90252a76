import * as z from "zod/mini";
import type { ProgramResult } from "../../sdk/api.ts";
import { type Code, MortiseError } from "../../sdk/errors.ts";
import { callForPlugin } from "../call-for-plugin.ts";
import type { Caller } from "../capabilities/capabilities.ts";
import type { Context } from "../contexts.ts";
import type { Core } from "../core.ts";
import type { ProgramEnd } from "../isolate/isolates.ts";
import { type Compiled, compileProgram, type Fault, SCRIPT } from "./compile.ts";
import type { Gate } from "./gate.ts";

/** Each is a process of its own. */
export const MAX_PROGRAMS = 4;

const MAX_CODE_CHARS = 1_000_000;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MEMORY_MB = 64;

export const ProgramArguments = z.object({
  code: z.string(),
  tools: z.optional(z.array(z.string())),
  timeoutMs: z.optional(z.number().check(z.minimum(1), z.maximum(600_000))),
  memoryMb: z.optional(z.int().check(z.minimum(16), z.maximum(1_024))),
  live: z.optional(z.boolean()),
});

/** What the isolate says at its end: nothing of it is believed. */
const Answer = z.object({
  value: z.optional(z.string()),
  error: z.optional(z.object({ text: z.string(), stack: z.nullable(z.string()), code: z.string() })),
  calls: z.int(),
  timers: z.int(),
});

const NOTHING_LEFT = { unhandled: [], unfinished: { calls: 0, timers: 0 } };

/**
 * Runs a program for a plugin. It can do nothing of its own but call tools, and each call is one of the plugin: with its grants, for the caller that
 * the plugin answers. Throws `not_here`, `wrong_argument`, `runner_lost`.
 */
export async function runForPlugin(
  core: Core,
  gate: Gate,
  program: z.infer<typeof ProgramArguments>,
  caller: Caller,
  context: Context | undefined,
): Promise<ProgramResult> {
  const { plugin } = caller;
  if (context === undefined || (context.kind !== "tool" && context.kind !== "command"))
    throw new MortiseError("not_here", { seen: "isolate.run works in tools and commands", plugin });
  if (program.code.length > MAX_CODE_CHARS)
    return {
      ended: "syntax",
      printed: "",
      error: { message: `the code has ${program.code.length} characters, and at most ${MAX_CODE_CHARS} are taken` },
      ...NOTHING_LEFT,
    };
  const signal = (context.call ?? context.command)?.deadline.signal;
  let compiled: Compiled | Fault;
  try {
    compiled = await compileProgram(program.code, signal);
  } catch {
    return { ended: "cancelled", printed: "", ...NOTHING_LEFT };
  }
  if ("message" in compiled) return { ended: "syntax", printed: "", error: compiled, ...NOTHING_LEFT };

  let leave: () => void;
  try {
    leave = await gate.enter(signal);
  } catch {
    return { ended: "cancelled", printed: "", ...NOTHING_LEFT };
  }
  try {
    const printed: string[] = [];
    const end = await core.isolates.program({
      script: compiled.script,
      tools: (program.tools ?? []).map((name) => ({ name, alias: name.replace(/\W/g, "_") })),
      timeoutMs: program.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      memoryMb: program.memoryMb ?? DEFAULT_MEMORY_MB,
      ...(signal === undefined ? {} : { signal }),
      call: (name, input, over) =>
        callForPlugin(
          core,
          {
            name,
            input: input as Record<string, unknown>,
            outputMode: "full",
            audience: "code",
            signal: signal === undefined ? over : AbortSignal.any([signal, over]),
          },
          caller,
          context,
        ),
      print(text) {
        printed.push(text);
        if (program.live === true && context.kind === "tool") context.call?.live(text);
      },
    });
    return { printed: printed.join(""), ...resultOf(end, compiled) };
  } finally {
    leave();
  }
}

function resultOf(end: ProgramEnd, compiled: Compiled): Omit<ProgramResult, "printed"> {
  const unhandled = end.late.map((text) => messageOf(text.split("\n", 1)[0] ?? ""));
  if ("code" in end) return { ended: endedBy(end.code), ...NOTHING_LEFT, unhandled };
  const answer = Answer.safeParse(end.answer);
  if (!answer.success) return { ended: "lost", ...NOTHING_LEFT, unhandled };
  const { value, error, calls, timers } = answer.data;
  const rest = { unhandled, unfinished: { calls, timers } };
  if (error === undefined) return { ended: "done", ...(value === undefined ? {} : { value }), ...rest };
  if (error.code === "printed_too_much") return { ended: "output", ...rest };
  return { ended: "error", error: faultOf(error, compiled), ...rest };
}

function faultOf({ text, stack }: { text: string; stack: string | null }, compiled: Compiled): Fault {
  const at = new RegExp(`\\b${SCRIPT}:(\\d+):(\\d+)`).exec(stack ?? "");
  const place = at === null ? undefined : compiled.place(Number(at[1]), Number(at[2]));
  return { message: messageOf(text), ...place };
}

/** What went wrong is said by the message; the class of a built-in error adds nothing. */
function messageOf(text: string): string {
  return text.replace(/^(?:Aggregate|Eval|Range|Reference|Syntax|Tool|Type|URI)?Error: /, "");
}

function endedBy(code: Code): ProgramResult["ended"] {
  switch (code) {
    case "slice_overrun":
    case "budget_overrun":
    case "window_overrun":
      return "timeout";
    case "memory_exceeded":
      return "memory";
    case "never_settles":
      return "stuck";
    case "cancelled":
      return "cancelled";
    default:
      return "lost";
  }
}

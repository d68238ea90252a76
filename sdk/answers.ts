/** What a layer or judge may answer besides a value. Plain data: the host reads `answer`, so a copy of the SDK in each bundle does no harm. */

export type Deny = { readonly [ANSWER]: "deny"; readonly reason: string };
export type Ask<Input = unknown> = { readonly [ANSWER]: "ask"; readonly reason: string; readonly input?: Input };
export type Respond = { readonly [ANSWER]: "respond"; readonly text: string };

const ANSWER: unique symbol = Symbol.for("mortise.answer") as never;

/** Stops the call. On input the tool never runs, on output the reason replaces the text; the model reads it as an error. */
export function deny(reason: string): Deny {
  return { [ANSWER]: "deny", reason };
}

/** Input only: a person must approve this call, or the rewritten one in `input`. */
export function ask<Input>(reason: string, options: { input?: Input } = {}): Ask<Input> {
  return { [ANSWER]: "ask", reason, ...options };
}

/** Input only: answers the call with this text as a success, without running the tool. */
export function respond(text: string): Respond {
  return { [ANSWER]: "respond", text };
}

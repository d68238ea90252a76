import { fail } from "./failures.ts";
import { carry } from "./packing.ts";
import { hasOwn, isObject } from "./primordials.ts";

const ANSWER: unique symbol = Symbol.for("mortise.answer") as never;

export type Verdict = { kind: "deny"; text: string } | { kind: "ask"; text: string; input: unknown } | { kind: "respond"; text: string };

/** The verdict that a value is, or null where it is none. Throws `wrong_answer` for one that is malformed or not taken here. */
export function verdictOf(value: unknown, taken: { deny?: true; ask?: true; respond?: true }): Verdict | null {
  if (!isObject(value) || !hasOwn(value, ANSWER)) return null;
  const kind = value[ANSWER];
  if (kind !== "deny" && kind !== "ask" && kind !== "respond") throw fail("wrong_answer", "an unknown verdict");
  if (!hasOwn(taken, kind)) throw fail("wrong_answer", `${kind} is not taken here`);
  const text = kind === "respond" ? value.text : value.reason;
  if (typeof text !== "string") throw fail("wrong_answer", `${kind} without a text`);
  carry(text.length);
  return kind === "ask" ? { kind, text, input: hasOwn(value, "input") ? value.input : undefined } : { kind, text };
}

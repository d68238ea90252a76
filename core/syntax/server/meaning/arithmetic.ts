import type { Arithmetic, Part } from "../bash/ast.ts";
import type { Environment } from "./expand.ts";
import { lookUp } from "./parameters.ts";
import { isNumeric, number, type State, withVar } from "./state.ts";

/**
 * Whether arithmetic evaluates what is not known to be a number: bash evaluates the value of a variable again,
 * subscripts with substitutions in them included.
 */
export function evaluates({ parts }: Arithmetic, state: State, environment: Environment): boolean {
  return parts.some((part) => {
    if (part.kind === "text") return !namesAreNumbers(part.text, state, environment);
    if (part.kind === "param") return !isNumericParameter(part, state, environment);
    return part.kind !== "arithmetic";
  });
}

/** The state after arithmetic has given its variables numbers. */
export function afterArithmetic({ parts }: Arithmetic, state: State): State {
  return assignedNames(parts).reduce((before, name) => withVar(before, name, number), state);
}

/** Variables that arithmetic changes. */
export function assignedNames(parts: readonly Part[]): string[] {
  const text = parts.map((part) => (part.kind === "text" ? part.text : "\0")).join("");
  const behind = [...text.matchAll(/([A-Za-z_]\w*)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))/g)].map((match) => match[1]!);
  const before = [...text.matchAll(/(?:\+\+|--)\s*([A-Za-z_]\w*)/g)].map((match) => match[1]!);
  return [...behind, ...before];
}

function namesAreNumbers(text: string, state: State, environment: Environment): boolean {
  for (const match of text.matchAll(/([A-Za-z_]\w*|\d[\w#@]*)(\s*(?:=(?!=)|\[))?/g)) {
    const [, name, follows] = match;
    if (/^\d/.test(name!)) continue;
    // An element of an array is not followed; the target of an assignment is not read.
    if (follows?.trim() === "[") return false;
    if (follows === undefined && !isNumeric(lookUp(name!, state, environment))) return false;
  }
  return true;
}

function isNumericParameter({ param }: Part & { kind: "param" }, state: State, environment: Environment): boolean {
  if (param.length) return true;
  return param.op === "" && param.index === undefined && !param.indirect && isNumeric(lookUp(param.name, state, environment));
}

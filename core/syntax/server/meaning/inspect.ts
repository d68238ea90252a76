import type { Arithmetic, Param, Part, TestToken, WordNode } from "../bash/ast.ts";
import { steers } from "../programs/environment.ts";
import { assignedNames, evaluates } from "./arithmetic.ts";
import type { Environment } from "./expand.ts";
import { lookUp } from "./parameters.ts";
import type { State } from "./state.ts";

/** What expanding words does besides. */
export type Inspection = {
  state: State;
  environment: Environment;
  substitution(part: Part & { kind: "command" }): void;
  /** `${name:=value}` sets a variable that programs look at. */
  assigns(name: string): void;
  /** Text that bash evaluates as it runs, where it is known. */
  evaluated(why: string, texts: readonly string[]): void;
};

/** Finds the commands in words, and what is evaluated. */
export function inspectWords(words: readonly WordNode[], inspection: Inspection): void {
  for (const word of words) {
    inspectParts(word.parts, inspection);
    if (word.assign?.index !== undefined) inspectIndex(word.assign.index, inspection);
  }
}

export function inspectParts(parts: readonly Part[], inspection: Inspection): void {
  for (const part of parts) {
    switch (part.kind) {
      case "command":
        inspection.substitution(part);
        break;
      case "arithmetic":
        inspectArithmetic(part.expression, inspection);
        break;
      case "param":
        inspectParam(part.param, inspection);
        break;
      case "array":
        inspectWords(part.items, inspection);
    }
  }
}

export function inspectArithmetic(expression: Arithmetic, inspection: Inspection): void {
  const { state, environment } = inspection;
  for (const name of assignedNames(expression.parts)) if (steers(name)) inspection.assigns(name);
  if (evaluates(expression, state, environment)) inspection.evaluated("arithmetic with a variable", namedTexts(expression, inspection));
  inspectParts(expression.parts, inspection);
}

/** `[[`: numbers and names are evaluated. */
export function inspectTest(tokens: readonly TestToken[], inspection: Inspection): void {
  inspectWords(
    tokens.flatMap(({ word }) => (word === undefined ? [] : [word])),
    inspection,
  );
  for (const [at, { word }] of tokens.entries()) {
    if (word === undefined) continue;
    if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(word.raw)) {
      for (const side of [tokens[at - 1]?.word, tokens[at + 1]?.word]) {
        if (side !== undefined && evaluates({ raw: side.raw, parts: side.parts }, inspection.state, inspection.environment)) {
          inspection.evaluated("a test that evaluates its operand", namedTexts({ raw: side.raw, parts: side.parts }, inspection));
        }
      }
    }
    const name = tokens[at + 1]?.word?.raw;
    if (/^-[vR]$/.test(word.raw) && name !== undefined && !/^[A-Za-z_]\w*$/.test(name))
      inspection.evaluated("a test that evaluates its operand", [name]);
  }
}

function inspectParam(param: Param, inspection: Inspection): void {
  const { name, index, indirect, op, word } = param;
  const { state, environment } = inspection;
  const value = lookUp(name, state, environment);
  const known = value.kind === "texts" ? value.texts : [];
  if (op === "@P" || (indirect && !/^[@*]$/.test(op))) inspection.evaluated("an expansion that is evaluated", known);
  if (index !== undefined) inspectIndex(index, inspection);
  if ((op === ":=" || op === "=") && steers(name)) inspection.assigns(name);
  if (op === ":" && evaluates({ raw: "", parts: word }, state, environment)) inspection.evaluated("an expansion that is evaluated", []);
  inspectParts(word, inspection);
}

function inspectIndex(index: readonly Part[], inspection: Inspection): void {
  const [only, ...others] = index;
  if (others.length === 0 && only?.kind === "text" && /^(?:-?\d+|[@*])$/.test(only.text)) return;
  const expression = { raw: "", parts: [...index] };
  if (evaluates(expression, inspection.state, inspection.environment))
    inspection.evaluated("an expansion that is evaluated", namedTexts(expression, inspection));
  inspectParts(index, inspection);
}

/** What the variables in arithmetic hold, where it is known. */
function namedTexts({ parts }: Arithmetic, { state, environment }: Inspection): string[] {
  const names = parts.flatMap((part) =>
    part.kind === "param" ? [part.param.name] : part.kind === "text" ? [...part.text.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name) : [],
  );
  return names.flatMap((name) => {
    const value = lookUp(name, state, environment);
    return value.kind === "texts" ? value.texts : [];
  });
}

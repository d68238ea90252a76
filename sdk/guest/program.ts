import { DATA } from "../turn.ts";
import { ask } from "./bridge.ts";
import { answerDraft, answerError, type Call, openCall } from "./calls.ts";
import { fail, type Why, why } from "./failures.ts";
import { hidden } from "./harden.ts";
import { encode } from "./packing.ts";
import {
  add,
  defineProperty,
  evaluate,
  freeze,
  isArray,
  isFunction,
  isObject,
  type List,
  list,
  NativeError,
  NativePromise,
  NativeTypeError,
  parse,
  settle,
  slice,
  table,
} from "./primordials.ts";
import { given, sendEncoded } from "./requests.ts";
import { shown } from "./shown.ts";
import { openTimers } from "./timers.ts";

/** Calls that are under way at once; further ones wait for their turn. */
const MAX_OPEN = 16;
/** Characters of the last value that come back. */
const VALUE_CHARS = 1_000_000;

/** `failure` was made where the tool was called, so that it says where that is. */
type Queued = { encoded: ReturnType<typeof encode>; failure: Error; ok: (text: string) => void; no: (error: unknown) => void };

let queue: List<Queued> = list();
let next = 0;
let open = 0;

/** Runs code that is no plugin's: it prints, and calls the tools it is given. What became of it goes to the outbox. */
export function runProgram(id: number, script: string, toolsJson: string): void {
  const call = openCall(id, list());
  try {
    hidden(globalThis, "console", printing());
    giveTools(parse(toolsJson) as [name: string, alias: string][]);
    const main = evaluate(script) as unknown;
    settle(
      isFunction(main) ? main() : undefined,
      (value) => answer(call, { value: value === undefined ? undefined : slice(shown(value), 0, VALUE_CHARS) }),
      (error) => answer(call, { error: why(error) }),
    );
  } catch (error) {
    answer(call, { error: why(error) });
  }
}

function answer(call: Call, end: { value?: string | undefined } | { error: Why }): void {
  if (call.over) return;
  try {
    // Nothing of it has a prototype that the code could have changed.
    const said = table<unknown>();
    if ("error" in end) said.error = bare(end.error);
    else if (end.value !== undefined) said.value = end.value;
    said.calls = open + queue.length - next;
    said.timers = openTimers();
    const value = encode(said, list());
    answerDraft(call, { value, dataFrom: DATA.input, data: undefined });
  } catch (error) {
    answerError(call, error);
  }
}

function bare({ code, text, stack }: Why): object {
  const error = table<unknown>();
  error.code = code;
  error.text = text;
  error.stack = stack;
  return error;
}

function printing(): object {
  const print = (...parts: unknown[]): void => {
    let text = "";
    for (let i = 0; i < parts.length; i++) text = i === 0 ? shown(parts[i]) : `${text} ${shown(parts[i])}`;
    if (ask("print", `${text}\n`) === undefined) throw fail("printed_too_much");
  };
  const nothing = (): void => {};
  return {
    log: print,
    info: print,
    debug: print,
    warn: print,
    error: print,
    trace: print,
    dir: (value: unknown) => print(value),
    table: (value: unknown) => print(value),
    assert: (condition: unknown, ...parts: unknown[]) => {
      if (!condition) print("Assertion failed", ...parts);
    },
    group: print,
    groupEnd: nothing,
    time: nothing,
    timeEnd: nothing,
  };
}

/** `tools.<name>`, and a global of that name wherever there is none. */
function giveTools(names: readonly (readonly [name: string, alias: string])[]): void {
  const tools = table<unknown>();
  for (let i = 0; i < names.length; i++) {
    const [name, alias] = names[i]!;
    const tool = toolOf(name);
    defineProperty(tools, name, { __proto__: null, value: tool, enumerable: true } as PropertyDescriptor);
    if (!(alias in globalThis)) hidden(globalThis, alias, tool);
  }
  hidden(globalThis, "tools", freeze(tools));
}

function toolOf(name: string): (...args: unknown[]) => Promise<string> {
  const tool = (...args: unknown[]): Promise<string> =>
    new NativePromise<string>((ok, no) => {
      const input = args.length === 0 ? {} : args[0];
      if (args.length > 1 || !isObject(input) || isArray(input)) throw new NativeTypeError(`${name} takes one object, as ${name}({ ... })`);
      // Read now: what the code does to the object later is not meant.
      add(queue, { encoded: encodedInput(name, input), failure: new NativeError(), ok, no });
      sendNext();
    });
  hidden(tool, "name", name);
  return tool;
}

function encodedInput(name: string, input: unknown): ReturnType<typeof encode> {
  try {
    return encode(given(name, input), list());
  } catch (error) {
    if (why(error).code !== "wrong_answer") throw error;
    throw new NativeTypeError(`The input of ${name} is nested too deeply, or holds itself. Give plain values`);
  }
}

function sendNext(): void {
  while (open < MAX_OPEN && next < queue.length) {
    const { encoded, failure, ok, no } = queue[next]!;
    delete queue[next++];
    open++;
    const ended = (): void => {
      open--;
      sendNext();
    };
    sendEncoded("tools.call", encoded, {
      ok(value) {
        ended();
        const result = value as { text: string; isError: boolean };
        if (result.isError) no(said(failure, result.text));
        else ok(result.text);
      },
      no(error) {
        ended();
        no(said(failure, why(error).text));
      },
    });
  }
  if (next === queue.length && next > 0) {
    queue = list();
    next = 0;
  }
}

function said(error: Error, text: string): Error {
  hidden(error, "name", "ToolError");
  hidden(error, "message", text);
  return error;
}

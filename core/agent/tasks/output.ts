import { Ajv2020 } from "ajv/dist/2020.js";
import * as z from "zod/mini";
import type { Json } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { checkInput } from "../../input.ts";
import { within } from "../../within.ts";

/** The tool through which a subagent gives an answer that has to fit a schema. */
export const OUTPUT_TOOL = "structured_output";

/** What an answer has to be. */
export type OutputSchema = {
  readonly schema: Record<string, unknown>;
  /** The answer as it fits, near-misses repaired, or what does not. */
  check(answer: unknown): { output: Json } | { faults: string[] };
};

/** Milliseconds that a schema may take to be compiled: a model may have written it. */
const COMPILE_MS = 2_000;

/** @throws MortiseError `wrong_argument` for what is no schema of an object. */
export function outputSchema(schema: Record<string, unknown>): OutputSchema {
  const { $schema: _, $async: __, ...own } = schema;
  if (own.type !== "object") throw wrong(`its type is ${JSON.stringify(own.type) ?? "not said"}, not "object"`);
  const compiled = within(COMPILE_MS, () => {
    try {
      new Ajv2020({ strict: false, logger: false, addUsedSchema: false, inlineRefs: false }).compile(own);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  });
  if (compiled === undefined) throw wrong("it takes too long to read");
  if (compiled.value !== undefined) throw wrong(compiled.value.split("\n", 1)[0]?.slice(0, 300) ?? "");
  const tool = { ...blank, inputSchema: own };
  const open = { ...blank, inputSchema: { allOf: [own] } };
  return {
    schema: own,
    check(answer) {
      try {
        // As it is, where it fits so: what the schema leaves open stays.
        return { output: z.json().parse(checkInput(open, answer)) };
      } catch {
        try {
          return { output: z.json().parse(checkInput(tool, answer)) };
        } catch (error) {
          return { faults: faultsIn(error) };
        }
      }
    },
  };
}

const blank = {
  name: OUTPUT_TOOL,
  plugin: "program",
  hash: "",
  handler: -1,
  scopes: null,
  description: "",
  kind: null,
  capability: null,
  audiences: null,
  timeoutMs: null,
  writes: null,
  aliases: {},
};

function faultsIn(error: unknown): string[] {
  const seen = error instanceof MortiseError ? (error.seen ?? error.message) : String(error);
  return seen.replace(`${OUTPUT_TOOL}: `, "").split("; ");
}

function wrong(why: string): MortiseError {
  return new MortiseError("wrong_argument", { seen: `the schema of the answer: ${why}` });
}

import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { slices } from "../sdk/contract.ts";
import { MortiseError } from "../sdk/errors.ts";
import { cutAtWord } from "./output/cut-at-word.ts";
import { repair } from "./repair.ts";
import type { Tool } from "./tools.ts";
import { within } from "./within.ts";

type Check = { tool: Tool; validate: ValidateFunction; isSlow: boolean };

/** Whether a schema is one was asked when its plugin was described: compiling the schema of schemas would be most of a first call. */
const options = {
  strict: false,
  verbose: true,
  logger: false,
  addUsedSchema: false,
  validateSchema: false,
  // A large definition that is named a thousand times would be compiled a thousand times.
  inlineRefs: false,
} as const;
/** Ends at the first fault: a list of a million wrong items would fill the memory with faults. */
const first = new Ajv2020(options);
/** Looks for all faults; made when first needed. */
let all: Ajv2020 | undefined;
const compiled = new WeakMap<object, Check>();

/** All faults are looked for in inputs of so many characters of JSON at most. */
const ALL_FAULTS_CHARS = 64 * 1024;
/** What a longer schema, or one with one of these, says of an input may take longer than the input is long. Names refer to each other, so that a few could stand for millions. */
const LONG_CHARS = 4 * 1024;
const SLOW = /"(?:pattern":"|patternProperties":|uniqueItems":|\$ref":|\$dynamicRef":)/;
/** Milliseconds that a schema may take to be compiled. */
const COMPILE_MS = 2_000;
/** How often in a row a schema may take too long: whoever calls its tool again and again would hold up everything else. */
const MOST_OVERRUNS = 5;
const overruns = new WeakMap<object, number>();

/**
 * Repairs what models commonly get wrong, then checks the draft against the tool's schema.
 * @throws MortiseError `invalid_input`, naming for each fault the path, what was expected and what came;
 * `plugin_invalid` for a schema that is none, `slice_overrun` for one whose patterns take too long on this input.
 */
export function checkInput(tool: Tool, draft: unknown): Record<string, unknown> {
  const input = repair(draft, tool.inputSchema, tool.aliases);
  const check = checkOf(tool);
  if (!isValid(check, check.validate, input) || typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new MortiseError("invalid_input", { seen: `${tool.name}: ${faults(errorsOf(check, input), input)}` });
  }
  return input as Record<string, unknown>;
}

function checkOf(tool: Tool): Check {
  const known = compiled.get(tool.inputSchema);
  if (known !== undefined) return known;
  const json = JSON.stringify(tool.inputSchema);
  // A field may be called `pattern`, too: then it holds an object.
  const check = { tool, validate: compile(first, tool), isSlow: json.length > LONG_CHARS || SLOW.test(json) };
  compiled.set(tool.inputSchema, check);
  return check;
}

/**
 * Schemas are read as draft 2020-12, whatever they say of themselves, and are known by no name: another tool's may have the same.
 * One that says it is asynchronous would be answered with a promise, as if everything fitted it.
 */
function compile(ajv: Ajv2020, tool: Tool): ValidateFunction {
  const { $schema: _, $async: __, ...schema } = tool.inputSchema;
  return inTime(tool, COMPILE_MS, () => {
    try {
      return ajv.compile(schema);
    } catch (cause) {
      throw new MortiseError("plugin_invalid", { seen: seenOf(tool), plugin: tool.plugin, cause });
    } finally {
      ajv.removeSchema(schema);
    }
  });
}

/** A plugin wrote the patterns, and they run here: they get the slice that its tool would get. */
function isValid({ tool, isSlow }: Check, validate: ValidateFunction, input: unknown): boolean {
  return isSlow ? inTime(tool, slices.tool, () => validate(input)) : validate(input);
}

function inTime<T>(tool: Tool, ms: number, work: () => T): T {
  const late = overruns.get(tool.inputSchema) ?? 0;
  const done = late < MOST_OVERRUNS ? within(ms, work) : undefined;
  if (done !== undefined) {
    overruns.delete(tool.inputSchema);
    return done.value;
  }
  overruns.set(tool.inputSchema, late + 1);
  throw new MortiseError("slice_overrun", { seen: seenOf(tool), plugin: tool.plugin });
}

function seenOf({ name }: Tool): string {
  return `the schema of tool ${name}`;
}

function errorsOf(check: Check, input: unknown): readonly ErrorObject[] {
  const { errors } = check.validate;
  if (errors == null || (JSON.stringify(input) ?? "").length > ALL_FAULTS_CHARS) return errors ?? [];
  all ??= new Ajv2020({ ...options, allErrors: true });
  const thorough = compile(all, check.tool);
  isValid(check, thorough, input);
  return thorough.errors ?? errors;
}

function faults(errors: readonly ErrorObject[], input: unknown): string {
  if (errors.length === 0) return `expected an object, got ${preview(input)}`;
  return errors.slice(0, 3).map(fault).join("; ");
}

function fault(error: ErrorObject): string {
  const path = dotted(error.instancePath);
  switch (error.keyword) {
    case "required": {
      const field = String(error.params.missingProperty);
      return `${error.instancePath === "" ? field : `${path}.${field}`}: expected ${typeOf(error.parentSchema, field)}, got nothing`;
    }
    case "type":
      return `${path}: expected ${[error.params.type].flat().join(" or ")}, got ${preview(error.data)}`;
    case "enum":
      return `${path}: expected one of ${preview(error.params.allowedValues, 400)}, got ${preview(error.data)}`;
    case "const":
      return `${path}: expected ${preview(error.params.allowedValue, 400)}, got ${preview(error.data)}`;
    case "additionalProperties":
      return `${path}: unknown field ${preview(error.params.additionalProperty)}`;
    default:
      return `${path}: ${error.message ?? error.keyword}, got ${preview(error.data)}`;
  }
}

function typeOf(schema: unknown, field: string): string {
  const type = (schema as { properties?: Record<string, { type?: unknown }> } | undefined)?.properties?.[field]?.type;
  return typeof type === "string" ? type : "a value";
}

/** `/edits/0/path` as `edits[0].path`. */
function dotted(pointer: string): string {
  const path = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("");
  return path === "" ? "input" : path.replace(/^\./, "");
}

/** What came, cut to `chars` characters. */
function preview(value: unknown, chars = 60): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= chars ? text : `${cutAtWord(text, chars)}...`;
}

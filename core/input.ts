import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { MortiseError } from "../sdk/errors.ts";
import { repair } from "./repair.ts";
import type { Tool } from "./tools.ts";

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, logger: false });
const compiled = new WeakMap<object, ValidateFunction>();

/**
 * Repairs what models commonly get wrong, then checks the draft against the tool's schema.
 * @throws MortiseError `invalid_input`, naming for each fault the path, what was expected and what came.
 */
export function checkInput(tool: Tool, draft: unknown): Record<string, unknown> {
  const input = repair(draft, tool.inputSchema, tool.aliases);
  const validate = validator(tool);
  if (!validate(input) || typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new MortiseError("invalid_input", { seen: `${tool.name}: ${faults(validate.errors ?? [], input)}` });
  }
  return input as Record<string, unknown>;
}

function validator(tool: Tool): ValidateFunction {
  const known = compiled.get(tool.inputSchema);
  if (known !== undefined) return known;
  try {
    const validate = ajv.compile(tool.inputSchema);
    compiled.set(tool.inputSchema, validate);
    return validate;
  } catch (cause) {
    throw new MortiseError("plugin_invalid", { seen: `the schema of tool ${tool.name}`, plugin: tool.plugin, cause });
  }
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
      return `${path === "input" ? field : `${path}.${field}`}: expected ${typeOf(error.parentSchema, field)}, got nothing`;
    }
    case "type":
      return `${path}: expected ${String(error.params.type)}, got ${preview(error.data)}`;
    case "enum":
      return `${path}: expected one of ${preview(error.params.allowedValues)}, got ${preview(error.data)}`;
    case "additionalProperties":
      return `${path}: unknown field ${preview(error.params.additionalProperty)}`;
    default:
      return `${path}: expected what ${error.message ?? error.keyword}, got ${preview(error.data)}`;
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

/** What came, cut to 60 characters. */
function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 60 ? text : `${text.slice(0, 60)}...`;
}

import { kindOf } from "./checks.ts";
import { fail } from "./failures.ts";
import { add, freeze, hasOwn, isFunction, isObject, parse, stringify } from "./primordials.ts";
import { names, oneOf, optional, register, registrations, text } from "./registry.ts";

/** Turns a zod schema into JSON Schema as JSON; there only while a plugin is described. */
export type Describer = (schema: unknown) => string;

let describer: Describer | null = null;
export const setDescriber = (given: Describer): void => {
  describer = given;
};

const kinds = freeze(["read", "search", "edit", "execute", "fetch", "other"] as const);
const accesses = freeze(["read", "write"] as const);
const capabilities = freeze(["fs_read", "fs_write", "net", "run", "env"] as const);

export function registerTool(given: unknown): void {
  const tool = optional(given);
  const name = text(tool.name, "A tool's name");
  const timeoutMs = tool.timeoutMs;
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0))
    throw fail("plugin_invalid", `timeoutMs of ${name} is ${kindOf(timeoutMs)}, not a number of milliseconds above 0`);
  add(registrations.tools, {
    handler: register("tool", tool.run),
    scopes: scopesOf(tool.scopes, name),
    name,
    description: text(tool.description, `The description of ${name}`),
    kind: tool.kind === undefined ? null : oneOf(tool.kind, kinds, `kind of ${name}`),
    capability: tool.capability === undefined ? null : oneOf(tool.capability, capabilities, `capability of ${name}`),
    audiences: tool.audiences === undefined ? null : names(tool.audiences, `audiences of ${name}`),
    timeoutMs: timeoutMs ?? null,
    writes: tool.writes === undefined ? null : text(tool.writes, `writes of ${name}`),
    aliases: aliasesOf(tool.aliases),
    needsPerson: tool.needsPerson === true,
    polls: tool.polls === true,
    parses: tool.parses === true,
    needsAgent: tool.needsAgent === true,
    describe: tool.describe === undefined ? null : register("scopes", tool.describe),
    inputSchema: schemaOf(tool.input, name),
  });
}

export function registerCommand(given: unknown): void {
  const command = optional(given);
  const name = text(command.name, "A command's name");
  add(registrations.commands, {
    handler: register("command", command.run),
    name,
    description: text(command.description, `The description of ${name}`),
  });
}

/** Nothing, the number of a handler, or the field that holds the one path. */
function scopesOf(given: unknown, name: string): unknown {
  if (given === "none") return null;
  if (isFunction(given)) return register("scopes", given);
  if (!isObject(given)) throw fail("plugin_invalid", `scopes of ${name} is ${kindOf(given)}`);
  return {
    path: text(given.path, `The path field in scopes of ${name}`),
    access: oneOf(given.access, accesses, `access in scopes of ${name}`),
    ...(given.otherwise === undefined ? {} : { otherwise: text(given.otherwise, `otherwise in scopes of ${name}`) }),
  };
}

function aliasesOf(given: unknown): unknown {
  return given === undefined ? {} : parse(stringify(given) ?? "{}");
}

/** Only a described plugin says its schemas: afterwards nobody asks for them. */
function schemaOf(input: unknown, name: string): unknown {
  if (!isObject(input)) throw fail("plugin_invalid", `input of ${name} is ${kindOf(input)}`);
  if (describer === null) return {};
  return parse(hasOwn(input, "_zod") ? describer(input) : (stringify(input) ?? "{}"));
}

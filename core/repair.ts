type Schema = {
  type?: unknown;
  properties?: Record<string, unknown>;
  required?: unknown;
  items?: unknown;
  additionalProperties?: unknown;
  patternProperties?: unknown;
};

/** Keywords that say what a value may be; a schema without any of them takes everything. */
const LIMITING = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "not", "if"];

/**
 * Repairs a model's near-misses, as far as the schema says what is meant: unknown fields are dropped, other names of a field are mapped,
 * null for an optional field is absent, text that is a whole number, boolean or JSON becomes one, one object where a list is expected is wrapped.
 * What cannot be repaired stays as it is, for the schema to refuse.
 */
export function repair(value: unknown, schema: unknown, aliases: Readonly<Record<string, string>> = {}): unknown {
  const meant = besidesNull(schema);
  if (!isObject(meant)) return value;
  switch (meant.type) {
    case "object":
      return repairObject(typeof value === "string" ? (parseJson(value, "{") ?? value) : value, meant, aliases);
    case "array":
      return repairArray(value, meant);
    case "integer":
    case "number":
      return repairNumber(value, meant.type);
    case "boolean":
      return repairBoolean(value);
    default:
      return value;
  }
}

function repairObject(value: unknown, schema: Schema, aliases: Readonly<Record<string, string>>): unknown {
  if (!isObject(value)) return value;
  const properties = schema.properties ?? {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const open = isOpen(schema);
  const repaired: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = Object.hasOwn(aliases, key) && !Object.hasOwn(properties, key) ? (aliases[key] ?? key) : key;
    // The field's own name wins over another name for it.
    if (name !== key && Object.hasOwn(value, name)) continue;
    if (!Object.hasOwn(properties, name)) {
      if (open && name !== "__proto__") repaired[name] = repair(item, schema.additionalProperties);
      continue;
    }
    if (item === null && !required.has(name) && !takesNull(properties[name])) continue;
    Object.defineProperty(repaired, name, { value: repair(item, properties[name]), enumerable: true, writable: true, configurable: true });
  }
  return repaired;
}

/** Whether fields that the schema does not name are meant: it says so, or names none at all. */
function isOpen({ properties, additionalProperties, patternProperties }: Schema): boolean {
  if (patternProperties !== undefined) return true;
  return additionalProperties === undefined ? properties === undefined : additionalProperties !== false;
}

function repairArray(value: unknown, schema: Schema): unknown {
  const list = typeof value === "string" ? (parseJson(value, "[{") ?? value) : value;
  if (Array.isArray(list)) return list.map((item) => repair(item, schema.items));
  return isObject(list) ? [repair(list, schema.items)] : list;
}

function repairNumber(value: unknown, type: "integer" | "number"): unknown {
  if (typeof value !== "string" || !/^\s*[-+]?\d+(\.\d+)?([eE][-+]?\d+)?\s*$/.test(value)) return value;
  const number = Number(value);
  // An integer past the safe ones would become another one.
  return Number.isFinite(number) && (type === "number" || Number.isSafeInteger(number)) ? number : value;
}

function repairBoolean(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim().toLowerCase();
  return text === "true" ? true : text === "false" ? false : value;
}

/** The value of JSON text that begins as one of `opens`; with unescaped quotes inside strings repaired. */
function parseJson(text: string, opens: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "" || !opens.includes(trimmed[0] ?? "")) return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    try {
      return JSON.parse(escapeInnerQuotes(trimmed));
    } catch {
      return undefined;
    }
  }
}

/** Escapes each quote that neither opens nor closes a string, judged by what stands around it. */
function escapeInnerQuotes(text: string): string {
  const closing = /\s*(?:$|[:}\]]|,\s*(?:["{[\d-]|true|false|null))/y;
  let out = "";
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    closing.lastIndex = i + 1;
    if (char === "\\" && inside) out += char + (text[++i] ?? "");
    else if (char !== '"') out += char;
    else if (!inside) {
      inside = true;
      out += char;
    } else if (closing.test(text)) {
      inside = false;
      out += char;
    } else out += '\\"';
  }
  return out;
}

/** The one alternative of a schema that is not null, as an optional integer is written; else the schema. */
function besidesNull(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { type, anyOf, oneOf } = schema;
  if (Array.isArray(type)) {
    const [only, ...more] = type.filter((each) => each !== "null");
    return more.length === 0 ? { ...schema, type: only } : schema;
  }
  const alternatives: unknown = type === undefined ? (anyOf ?? oneOf) : undefined;
  if (!Array.isArray(alternatives)) return schema;
  const [only, ...more] = alternatives.filter((each) => !isObject(each) || each.type !== "null");
  return more.length === 0 && only !== undefined ? only : schema;
}

function takesNull(schema: unknown): boolean {
  if (!isObject(schema)) return schema !== false;
  const { type, enum: values, const: value, anyOf, oneOf } = schema;
  if (type === "null" || value === null) return true;
  if (Array.isArray(type) && type.includes("null")) return true;
  if (Array.isArray(values) && values.includes(null)) return true;
  if ([anyOf, oneOf].some((list) => Array.isArray(list) && list.some(takesNull))) return true;
  return !LIMITING.some((keyword) => keyword in schema);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

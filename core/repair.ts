type Schema = { type?: unknown; properties?: Record<string, unknown>; required?: unknown; items?: unknown; additionalProperties?: unknown };

/**
 * Repairs a model's near-misses, as far as the schema says what is meant: unknown fields are dropped, other names of a field are mapped,
 * null for an optional field is absent, text that is a whole number, boolean or JSON becomes one, one object where a list is expected is wrapped.
 * What cannot be repaired stays as it is, for the schema to refuse.
 */
export function repair(value: unknown, schema: unknown, aliases: Readonly<Record<string, string>> = {}): unknown {
  if (typeof schema !== "object" || schema === null) return value;
  const { type } = schema as Schema;
  switch (type) {
    case "object":
      return repairObject(typeof value === "string" ? (parseJson(value, "{") ?? value) : value, schema as Schema, aliases);
    case "array":
      return repairArray(value, schema as Schema);
    case "integer":
    case "number":
      return repairNumber(value, type);
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
  const open = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  const repaired: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = Object.hasOwn(aliases, key) && !Object.hasOwn(properties, key) ? (aliases[key] ?? key) : key;
    // The field's own name wins over another name for it.
    if (name !== key && Object.hasOwn(value, name)) continue;
    if (!Object.hasOwn(properties, name)) {
      if (open && name !== "__proto__") repaired[name] = item;
      continue;
    }
    if (item === null && !required.has(name) && !takesNull(properties[name])) continue;
    Object.defineProperty(repaired, name, { value: repair(item, properties[name]), enumerable: true, writable: true, configurable: true });
  }
  return repaired;
}

function repairArray(value: unknown, schema: Schema): unknown {
  const list = typeof value === "string" ? (parseJson(value, "[{") ?? value) : value;
  if (Array.isArray(list)) return list.map((item) => repair(item, schema.items));
  return isObject(list) ? [repair(list, schema.items)] : list;
}

function repairNumber(value: unknown, type: "integer" | "number"): unknown {
  if (typeof value !== "string" || !/^\s*[-+]?\d+(\.\d+)?([eE][-+]?\d+)?\s*$/.test(value)) return value;
  const number = Number(value);
  return Number.isFinite(number) && (type === "number" || Number.isInteger(number)) ? number : value;
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
  for (const candidate of [trimmed, escapeInnerQuotes(trimmed)]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The next candidate, or the text as it is.
    }
  }
  return undefined;
}

/** Escapes each quote that neither opens nor closes a string, judged by what stands around it. */
function escapeInnerQuotes(text: string): string {
  let out = "";
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "\\" && inside) out += char + (text[++i] ?? "");
    else if (char !== '"') out += char;
    else if (!inside) {
      inside = true;
      out += char;
    } else if (/^\s*([,:}\]]|$)/.test(text.slice(i + 1, i + 40))) {
      inside = false;
      out += char;
    } else out += '\\"';
  }
  return out;
}

function takesNull(schema: unknown): boolean {
  const type = isObject(schema) ? schema.type : undefined;
  return type === "null" || (Array.isArray(type) && type.includes("null"));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

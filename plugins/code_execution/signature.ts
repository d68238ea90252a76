/** What is read of a JSON Schema. */
type Schema = {
  type?: unknown;
  enum?: unknown;
  const?: unknown;
  properties?: unknown;
  required?: unknown;
  items?: unknown;
  anyOf?: unknown;
  oneOf?: unknown;
};

const MAX_CHARS = 600;
const MAX_DEPTH = 3;
const MAX_VALUES = 8;

/** A tool as a function with its parameters, in one line. */
export function signature(name: string, inputSchema: unknown): string {
  const called = /^[A-Za-z_$][\w$]*$/.test(name) ? `tools.${name}` : `tools[${JSON.stringify(name)}]`;
  const input = typeOf(inputSchema, 0);
  return `${called}(${input.length <= MAX_CHARS ? input : "{ ... }"})`;
}

function typeOf(schema: unknown, depth: number): string {
  if (!isObject(schema)) return "any";
  const { type, enum: values, const: value, properties, items, anyOf, oneOf }: Schema = schema;
  if (Array.isArray(values)) return values.length <= MAX_VALUES ? values.map((each) => JSON.stringify(each)).join(" | ") : "string";
  if (value !== undefined) return JSON.stringify(value);
  const either = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (either !== undefined) return depth >= MAX_DEPTH ? "any" : [...new Set(either.map((each) => typeOf(each, depth + 1)))].join(" | ");
  if (Array.isArray(type)) return type.map((each) => nameOf(each)).join(" | ");
  if (type === "array") return depth >= MAX_DEPTH ? "any[]" : arrayOf(typeOf(items, depth + 1));
  if (type !== "object" && properties === undefined) return nameOf(type);
  if (!isObject(properties)) return "{}";
  return depth >= MAX_DEPTH ? "{ ... }" : fieldsOf(properties, schema.required, depth);
}

function fieldsOf(properties: Record<string, unknown>, required: unknown, depth: number): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${key}${Array.isArray(required) && required.includes(name) ? "" : "?"}: ${typeOf(field, depth + 1)}`;
  });
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

function arrayOf(item: string): string {
  return item.includes(" ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

function nameOf(type: unknown): string {
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "any";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Values may be nested more deeply than calls can be, so neither function calls itself.

/** Every string in a JSON value, in order; keys of objects are not among them. */
export function collectStrings(value: unknown): string[] {
  const strings: string[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (typeof item === "string") strings.push(item);
    else if (typeof item === "object" && item !== null) for (const inner of Object.values(item).reverse()) waiting.push(inner);
  }
  return strings;
}

/** The same value with its strings replaced by `next()`, in the order of `collectStrings`. */
export function replaceStrings<T>(value: T, next: () => string): T;
export function replaceStrings(value: unknown, next: () => string): unknown {
  const made: Record<string, unknown> = {};
  const waiting: { item: unknown; into: Record<string, unknown>; key: string }[] = [{ item: value, into: made, key: "value" }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { item, into, key } = place;
    const isNested = typeof item === "object" && item !== null;
    const copy: unknown = typeof item === "string" ? next() : !isNested ? item : Array.isArray(item) ? [] : {};
    // A plain assignment to `__proto__` would set the prototype instead of the key.
    if (key === "__proto__") Object.defineProperty(into, key, { value: copy, enumerable: true, writable: true, configurable: true });
    else into[key] = copy;
    if (isNested)
      for (const name of Object.keys(item).reverse()) waiting.push({ item: (item as typeof into)[name], into: copy as typeof into, key: name });
  }
  return made.value;
}

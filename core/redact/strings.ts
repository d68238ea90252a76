/** Every string in a JSON value, in order; keys of objects are not among them. */
export function collectStrings(value: unknown, into: string[] = []): string[] {
  if (typeof value === "string") into.push(value);
  else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) collectStrings(item, into);
  return into;
}

/** The same value with its strings replaced by `next()`, in the order of `collectStrings`. */
export function replaceStrings<T>(value: T, next: () => string): T;
export function replaceStrings(value: unknown, next: () => string): unknown {
  if (typeof value === "string") return next();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceStrings(item, next));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    // A plain assignment to `__proto__` would set the prototype instead of the key.
    Object.defineProperty(copy, key, { value: replaceStrings(item, next), enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

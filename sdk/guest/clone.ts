/** `structuredClone` for plain data, maps, sets, dates, patterns, errors, buffers and their views. */
export function structuredClone<T>(value: T): T {
  return copy(value, new Map()) as T;
}

function copy(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === "function" || typeof value === "symbol") throw new TypeError(`A ${typeof value} could not be cloned`);
  if (typeof value !== "object" || value === null) return value;
  const before = seen.get(value);
  if (before !== undefined) return before;
  const remember = <R>(made: R): R => {
    seen.set(value, made);
    return made;
  };
  if (Array.isArray(value)) {
    const made = remember(new Array<unknown>(value.length));
    for (const key of Object.keys(value)) put(made, key, copy(value[Number(key)], seen));
    return made;
  }
  if (value instanceof Date) return remember(new Date(value.getTime()));
  if (value instanceof RegExp) return remember(new RegExp(value.source, value.flags));
  if (value instanceof ArrayBuffer) return remember(value.slice(0));
  if (ArrayBuffer.isView(value)) return copyView(value, seen, remember);
  if (value instanceof Map) {
    const made = remember(new Map<unknown, unknown>());
    for (const [key, item] of value) made.set(copy(key, seen), copy(item, seen));
    return made;
  }
  if (value instanceof Set) {
    const made = remember(new Set<unknown>());
    for (const item of value) made.add(copy(item, seen));
    return made;
  }
  if (value instanceof Error) {
    const made = remember(new Error(value.message));
    put(made, "name", value.name);
    put(made, "stack", value.stack);
    return made;
  }
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw new TypeError("This object could not be cloned");
  const made = remember({});
  for (const key of Object.keys(value)) put(made, key, copy((value as Record<string, unknown>)[key], seen));
  return made;
}

function copyView(view: ArrayBufferView, seen: Map<object, unknown>, remember: <R>(made: R) => R): unknown {
  const buffer = copy(view.buffer, seen);
  const View = view.constructor as new (buffer: unknown, offset: number, length: number) => unknown;
  const size = view instanceof DataView ? 1 : (view as Uint8Array).BYTES_PER_ELEMENT;
  return remember(new View(buffer, view.byteOffset, view.byteLength / size));
}

function put(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: Array.isArray(target) || !(target instanceof Error), writable: true, configurable: true });
}

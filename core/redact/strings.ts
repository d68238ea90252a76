// Values may be nested more deeply than calls can be, so nothing here calls itself.

/** Every text in a JSON value: its strings in order, then each distinct key of its objects. */
export function collectStrings(value: unknown): string[] {
  const { strings, keys } = gather(value);
  return [...strings, ...keys];
}

/** The same value with its texts replaced by `texts`, which are in the order of `collectStrings`. Keys that become alike are told apart by a number. */
export function replaceStrings<T>(value: T, texts: readonly string[]): T;
export function replaceStrings(value: unknown, texts: readonly string[]): unknown {
  const { strings, keys } = gather(value);
  const newKeys = new Map([...keys].map((key, i) => [key, texts[strings.length + i] ?? ""]));
  const made: unknown[] = [];
  const put = placing();
  const waiting: { item: unknown; into: object; key?: string }[] = [{ item: value, into: made }];
  let at = 0;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { item, into, key } = place;
    const isNested = typeof item === "object" && item !== null;
    const copy: unknown = typeof item === "string" ? (texts[at++] ?? "") : !isNested ? item : Array.isArray(item) ? [] : {};
    put(into, key === undefined ? undefined : (newKeys.get(key) ?? ""), copy);
    if (isNested) for (const inner of children(item)) waiting.push({ ...inner, into: copy as object });
  }
  return made[0];
}

function gather(value: unknown): { strings: string[]; keys: Set<string> } {
  const strings: string[] = [];
  const keys = new Set<string>();
  const waiting: { item: unknown; key?: string }[] = [{ item: value }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { item, key } = place;
    if (key !== undefined) keys.add(key);
    if (typeof item === "string") strings.push(item);
    else if (typeof item === "object" && item !== null) for (const inner of children(item)) waiting.push(inner);
  }
  return { strings, keys };
}

/** Last first, for a stack. */
function children(item: object): { item: unknown; key?: string }[] {
  if (Array.isArray(item)) return item.map((inner: unknown) => ({ item: inner })).reverse();
  return Object.entries(item)
    .map(([key, inner]: [string, unknown]) => ({ item: inner, key }))
    .reverse();
}

/** Puts values into objects and lists. Keys of an object that became alike are counted on from the last one, since all of very many may have. */
function placing(): (into: object, key: string | undefined, value: unknown) => void {
  const numbers = new Map<object, Map<string, number>>();
  const nextFree = (into: object, key: string): string => {
    const last = numbers.get(into) ?? new Map<string, number>();
    numbers.set(into, last);
    let number = last.get(key) ?? 1;
    let free = key;
    do free = `${key} (${++number})`;
    while (Object.hasOwn(into, free));
    last.set(key, number);
    return free;
  };
  return (into, key = "", value) => {
    if (Array.isArray(into)) {
      into.push(value);
      return;
    }
    // A plain assignment to `__proto__` would set the prototype instead of the key.
    const place = Object.hasOwn(into, key) ? nextFree(into, key) : key;
    Object.defineProperty(into, place, { value, enumerable: true, writable: true, configurable: true });
  };
}

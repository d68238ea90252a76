/**
 * A keyword with nothing but plain words before it, as modifiers are: one that stands in a type, a parameter or a value is no such one.
 * `before` is what may stand in front of those words.
 */
export function leading(keyword: string, before = ""): RegExp {
  return new RegExp(`\\b(?=(?:${keyword})\\s)(?<=^${before}(?:[\\w@()[\\]."]+\\s+)*)(?:${keyword})\\s+`);
}

import { MortiseError } from "../../../sdk/errors.ts";

/** Alternatives that the braces of one pattern may make. */
const MAX_ALTERNATIVES = 256;

type Token = "star" | ((char: string) => boolean);
type Segment = "star" | Token[];

/**
 * A matcher for paths with `/`, by `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}` and, as a whole part, `**`. Names with a dot in front match too.
 * Its time is at most pattern times path, so that no pattern blocks the host. Throws `wrong_argument` for too many alternatives.
 */
export function createGlob(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((text) => ({ needs: plainPart(text), segments: text.split("/").map(parseSegment) }));
  return (path) => {
    let names: string[] | undefined;
    return alternatives.some(({ needs, segments }) => {
      if (!path.includes(needs)) return false;
      names ??= path.split("/");
      return fits<Segment, string>(segments, names, (segment, name) => fitsName(segment, name));
    });
  };
}

/** The longest piece of a pattern that stands for itself: most paths do not have it, and need no closer look. */
function plainPart(text: string): string {
  if (text.includes("[")) return "";
  return text.split(/[*?/]/).reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}

/** The leading parts of a pattern that are plain names, and the rest, which is empty where all are. */
export function splitGlob(pattern: string): { folder: string; glob: string } {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  if (first === -1) return { folder: pattern, glob: "" };
  const folder = parts.slice(0, first).join("/");
  return { folder: folder === "" && first > 0 ? "/" : folder, glob: parts.slice(first).join("/") };
}

function fitsName(segment: Segment, name: string): boolean {
  return segment !== "star" && fits<Token, string>(segment, Array.from(name), (token, char) => token !== "star" && token(char));
}

/** Going back to the last star alone is enough: what an earlier one took in first stays right. */
function fits<T, I>(pattern: readonly (T | "star")[], items: readonly I[], one: (token: T | "star", item: I) => boolean): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let item = 0; item < items.length; ) {
    const token = pattern[at];
    if (token === "star") {
      star = at++;
      resume = item;
    } else if (token !== undefined && one(token, items[item]!)) {
      at++;
      item++;
    } else if (star !== -1) {
      at = star + 1;
      item = ++resume;
    } else return false;
  }
  return pattern.slice(at).every((token) => token === "star");
}

function parseSegment(text: string): Segment {
  if (text === "**") return "star";
  const tokens: Token[] = [];
  const chars = Array.from(text);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    const close = char === "[" ? chars.indexOf("]", at + 2) : -1;
    if (char === "*") {
      if (tokens.at(-1) !== "star") tokens.push("star");
    } else if (char === "?") tokens.push(() => true);
    else if (close !== -1) {
      tokens.push(charSet(chars.slice(at + 1, close)));
      at = close;
    } else tokens.push((other) => other === char);
  }
  return tokens;
}

function charSet(chars: readonly string[]): (char: string) => boolean {
  const negated = chars[0] === "!" || chars[0] === "^";
  const ranges: [string, string][] = [];
  const rest = negated ? chars.slice(1) : chars;
  for (let at = 0; at < rest.length; at++) {
    const [from, dash, to] = [rest[at]!, rest[at + 1], rest[at + 2]];
    if (dash === "-" && to !== undefined) {
      ranges.push([from, to]);
      at += 2;
    } else ranges.push([from, from]);
  }
  return (char) => ranges.some(([from, to]) => char >= from && char <= to) !== negated;
}

/** `a{b,c{d,e}}` as `ab`, `acd`, `ace`. Braces that do not close, or hold one part, are plain text. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const pending = [pattern];
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    const group = firstGroup(text);
    if (group === undefined) done.unshift(text);
    else for (const part of group.parts) pending.push(text.slice(0, group.start) + part + text.slice(group.end));
    if (done.length + pending.length > MAX_ALTERNATIVES) throw new MortiseError("wrong_argument", { seen: "a pattern with too many alternatives" });
  }
  return done;
}

function firstGroup(text: string): { start: number; end: number; parts: string[] } | undefined {
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start + 1)) {
    const parts: string[] = [];
    let depth = 0;
    let from = start + 1;
    for (let at = start; at < text.length; at++) {
      const char = text[at];
      if (char === "{") depth++;
      else if (char === "," && depth === 1) {
        parts.push(text.slice(from, at));
        from = at + 1;
      } else if (char === "}" && --depth === 0) {
        if (parts.length > 0) return { start, end: at + 1, parts: [...parts, text.slice(from, at)] };
        break;
      }
    }
  }
  return undefined;
}

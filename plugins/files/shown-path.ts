/** What could pass for another line, or hides or reorders what is around it. Joiners belong to words and pictures. */
const ODD = /[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/u;

/** A path as it stands in a line or a sentence: one with such characters in it is quoted, as in JSON, and they are escaped. */
export function shownPath(path: string): string {
  return ODD.test(path) ? JSON.stringify(path).replace(/[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, escaped) : path;
}

function escaped(char: string): string {
  return char
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

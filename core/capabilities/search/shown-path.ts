import { sep } from "node:path";

/** A path as it is given to plugins: relative where it lies in the folder. Both canonical. */
export function givenPath(canonical: string, folder: string): string {
  const prefix = folder.endsWith(sep) ? folder : folder + sep;
  if (!canonical.startsWith(prefix) || canonical.length === prefix.length) return canonical;
  const path = canonical.slice(prefix.length);
  return sep === "/" ? path : path.split(sep).join("/");
}

/** The canonical path of what lies below a folder: its path is as ripgrep prints it, with neither `.` nor `..`. */
export function below(folder: string, path: string): string {
  return folder.endsWith(sep) ? folder + path : folder + sep + path;
}

/** A name with characters that could pass for more lines, or hide or reorder text, is shown in quotes, as in JSON. Joiners belong to words and pictures. */
export function oneLine(name: string): string {
  if (!/[^ -~]/.test(name)) return name;
  return /[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/u.test(name)
    ? JSON.stringify(name).replace(/[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, escaped)
    : name;
}

function escaped(char: string): string {
  return char
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

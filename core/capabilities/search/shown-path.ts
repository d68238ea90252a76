import { relative, sep } from "node:path";
import { isInside } from "../fs/path-scope.ts";

/** A path as it is given to plugins: relative where it lies in the folder. */
export function givenPath(canonical: string, folder: string): string {
  return canonical !== folder && isInside(canonical, folder) ? relative(folder, canonical).split(sep).join("/") : canonical;
}

/** A name with control characters is shown in quotes, as in JSON, so that it cannot pass for more lines. */
export function oneLine(name: string): string {
  return /\p{Cc}|[\u2028\u2029]/u.test(name) ? JSON.stringify(name).replace(/[\u007f-\u009f\u2028\u2029]/g, escaped) : name;
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

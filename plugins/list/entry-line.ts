import type { WalkedEntry } from "mortise/sdk";

/** The lines of one entry of a tree, indented by its depth. */
export function entryLine({ name, type, depth, bytes, target, more, cut, unreadable }: WalkedEntry): string[] {
  const indent = "  ".repeat(depth - 1);
  const shown = oneLine(name);
  switch (type) {
    case "folder":
      return [
        `${indent}${shown}/${unreadable ? "  (cannot be opened)" : ""}`,
        ...(more === 0 && !cut ? [] : [`${indent}  ... ${more === 0 ? "" : `${more} `}more`]),
      ];
    case "link":
      return [`${indent}${shown} -> ${oneLine(target ?? "")}`];
    case "other":
      return [`${indent}${shown}  (no regular file)`];
    default:
      return [`${indent}${shown}  ${size(bytes)}`];
  }
}

/** A name with control characters is shown in quotes, as in JSON, so that it cannot pass for more lines. */
export function oneLine(name: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name;
}

const units = ["B", "KB", "MB", "GB", "TB"];

/** Three digits at most that count. */
export function size(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_024;
    unit++;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

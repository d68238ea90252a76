import type { WalkedEntry } from "mortise/sdk";
import { shownPath } from "../files/shown-path.ts";

/** The lines of one entry of a tree, indented by its depth. */
export function entryLine({ name, type, depth, bytes, target, more, cut, unreadable }: WalkedEntry): string[] {
  const indent = "  ".repeat(depth - 1);
  const shown = shownPath(name);
  switch (type) {
    case "folder":
      return [
        `${indent}${shown}/${unreadable ? "  (cannot be opened)" : ""}`,
        ...(more === 0 && !cut ? [] : [`${indent}  ... ${more === 0 ? "" : `${more} `}more`]),
      ];
    case "link":
      return [`${indent}${shown} -> ${shownPath(target ?? "")}`];
    case "other":
      return [`${indent}${shown}  (no regular file)`];
    default:
      return [unreadable ? `${indent}${shown}  (cannot be looked at)` : `${indent}${shown}  ${size(bytes)}`];
  }
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

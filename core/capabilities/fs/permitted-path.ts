import type { Caller } from "../capabilities.ts";
import { fileFailed } from "./file-failed.ts";

/** What was approved is what is used: throws `file_failed` where a path leads elsewhere than when its call was permitted. */
export function requirePermitted(path: string, canonical: string, { call }: Caller): void {
  const permitted = call?.running?.permitted?.get(path);
  if (permitted === undefined || folded(permitted) === folded(canonical)) return;
  throw fileFailed(path, "it leads elsewhere by now than when the call was permitted");
}

/**
 * Where a path led when the call was permitted. Only to be opened by `openFile` or `openToRead`, which see whether that is still what is opened;
 * undefined where nothing is known, or the system may have found the path in other letters.
 */
export function permittedPath(path: string, { call }: Caller): string | undefined {
  return process.platform === "linux" ? call?.running?.permitted?.get(path) : undefined;
}

/** Whether the call that runs was permitted this very path: what is protected a person has then approved. */
export function isShown(canonical: string, { call }: Caller): boolean {
  return [...(call?.running?.permitted?.values() ?? [])].some((path) => folded(path) === folded(canonical));
}

/** Permission takes a path as it is written, and some systems find it in other letters. */
function folded(path: string): string {
  return process.platform === "linux" ? path : path.normalize().toLowerCase();
}

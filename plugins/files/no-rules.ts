import { shownPath } from "./shown-path.ts";

/** Why ignored files are among those found. */
export function noRules(path: string): string {
  return `ignored files were looked at too, since ${shownPath(path)} is no regular file: remove it`;
}

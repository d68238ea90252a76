import type { Code } from "../../sdk/errors.ts";
import type { CallRecord } from "../record.ts";

/** Exit codes of the command line. A signal's own is 128 and its number. */
export const exits = { ok: 0, failed: 1, usage: 2, timeout: 3, noSession: 4, permission: 5, limit: 6 } as const;

/** The exit code of a finished call. */
export function exitOfRecord(record: CallRecord): number {
  if (record.code === "deadline_passed") return exits.timeout;
  if (record.permission.decision === "deny") return exits.permission;
  if (record.stopped !== null) return exits.failed;
  if (record.code !== null && record.isError) return exitOfCode(record.code);
  return record.isError ? exits.failed : exits.ok;
}

/** The exit code of an error. */
export function exitOfCode(code: Code): number {
  return byCode[code] ?? exits.failed;
}

const byCode: Partial<Record<Code, number>> = {
  usage: exits.usage,
  unknown_tool: exits.usage,
  not_in_audience: exits.usage,
  invalid_input: exits.usage,
  unknown_plugin: exits.usage,
  unknown_slot: exits.usage,
  file_broken: exits.usage,
  no_folder: exits.usage,
  unknown_model: exits.usage,
  deadline_passed: exits.timeout,
  no_session: exits.noSession,
  session_locked: exits.noSession,
  session_exists: exits.usage,
  denied: exits.permission,
};

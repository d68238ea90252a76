import { MortiseError } from "../../../sdk/errors.ts";
import { oneLine } from "../search/shown-path.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is no folder",
  EACCES: "no permission",
  EPERM: "not permitted",
  EISDIR: "it is a folder",
  EEXIST: "it exists already",
  ENOTEMPTY: "the folder is not empty",
  ELOOP: "too many links, or a link was put in its place meanwhile",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "no space is left",
  EDQUOT: "the user's share of the disk is used up",
  EFBIG: "it would be longer than the system allows",
  EIO: "the disk failed",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
  ENXIO: "it is no regular file",
  ETXTBSY: "the program is running",
};

/** `file_failed` in words: a system error's code is looked up, text is taken as it is. Errors that are a MortiseError already stay. */
export function fileFailed(path: string, reason: unknown): MortiseError {
  if (reason instanceof MortiseError) return reason;
  return new MortiseError("file_failed", { seen: `${oneLine(path)}: ${reasonOf(reason)}`, cause: reason });
}

/** Why a file operation failed, in words. */
export function reasonOf(reason: unknown): string {
  if (typeof reason === "string") return reason;
  if (typeof reason !== "object" || reason === null || !("code" in reason)) return String(reason);
  return reasons[String(reason.code)] ?? String(reason.code);
}

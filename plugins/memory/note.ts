import type { Json } from "mortise/sdk";
import { utf8Bytes } from "../files/utf8-bytes.ts";

export type Note = { content: string; tags: string[] /** When it was written, as ISO text. */; at: string };

export const MAX_NOTES = 200;
export const MAX_CONTENT_BYTES = 20_480;
export const MAX_TAGS = 8;
/** Names of notes and folders, as `build` or `api/errors.md`: nothing that leads elsewhere, and nothing hidden. */
export const PATH = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*(\/[\p{L}\p{N}_][\p{L}\p{N}_.-]*)*$/u;
export const TAG = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,31}$/u;

/** What is stored, read as a note; undefined where it is none. */
export function noteOf(stored: Json | undefined): Note | undefined {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return undefined;
  const { content, tags, at } = stored;
  if (typeof content !== "string" || typeof at !== "string" || !Array.isArray(tags)) return undefined;
  return { content, at, tags: tags.filter((tag) => typeof tag === "string") };
}

/** `build.md  120 bytes  2026-01-31  ci, linux` */
export function noteLine(path: string, { content, tags, at }: Note): string {
  const bytes = utf8Bytes(content);
  return [path, `${bytes} ${bytes === 1 ? "byte" : "bytes"}`, at.slice(0, 10), ...(tags.length === 0 ? [] : [tags.join(", ")])].join("  ");
}

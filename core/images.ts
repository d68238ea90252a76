import * as z from "zod/mini";
import type { Image } from "../sdk/api.ts";
import type { CallRecord } from "./record.ts";

/** Characters of base64 that the images of one result may have together. */
const MAX_CHARS = 8 * 1024 * 1024;

/** How the files of each type begin. What does not is text by another name, and would pass redactors unseen. */
const beginnings = new Map<string, (head: string) => boolean>([
  ["image/png", (head) => head.startsWith("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (head) => head.startsWith("\xff\xd8\xff")],
  ["image/gif", (head) => /^GIF8[79]a/.test(head)],
  ["image/webp", (head) => head.startsWith("RIFF") && head.startsWith("WEBP", 8)],
]);

/** The images of a tool's answer. */
export const Images = z.array(z.object({ mediaType: z.string(), base64: z.string() }).check(z.refine(isImage))).check(
  z.minLength(1),
  z.maxLength(20),
  z.refine((images) => images.reduce((sum, { base64 }) => sum + base64.length, 0) <= MAX_CHARS),
);

/** What is told of images where their bytes do not go: traces and what people read. */
export function imageFacts(images: readonly Image[]): { mediaType: string; bytes: number }[] {
  return images.map(({ mediaType, base64 }) => ({ mediaType, bytes: Buffer.byteLength(base64, "base64") }));
}

/** The record with facts in the place of its images. */
export function withoutBytes(record: CallRecord): Omit<CallRecord, "images"> & { images?: ReturnType<typeof imageFacts> } {
  const { images, ...rest } = record;
  return images === undefined ? rest : { ...rest, images: imageFacts(images) };
}

/** Whether it is of a type that models take, and begins as its type does. */
export function isImage({ mediaType, base64 }: Image): boolean {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false;
  return beginnings.get(mediaType)?.(Buffer.from(base64.slice(0, 32), "base64").toString("latin1")) === true;
}

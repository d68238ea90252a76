export type ImageType = { name: string; mediaType: string };

/** How a file of each type begins, one character a byte. */
const types: readonly (ImageType & { begins(head: string): boolean })[] = [
  { name: "PNG", mediaType: "image/png", begins: (head) => head.startsWith("\x89PNG\r\n\x1a\n") },
  { name: "JPEG", mediaType: "image/jpeg", begins: (head) => head.startsWith("\xff\xd8\xff") },
  { name: "GIF", mediaType: "image/gif", begins: (head) => /^GIF8[79]a/.test(head) },
  { name: "WebP", mediaType: "image/webp", begins: (head) => head.startsWith("RIFF") && head.startsWith("WEBP", 8) },
];

/** Bytes at the beginning of a file that tell its type. */
export const HEAD_BYTES = 16;

/** The type of an image that begins so. What a file is called does not count. */
export function imageType(head: string): ImageType | undefined {
  return types.find(({ begins }) => begins(head));
}

export function isUtf16(head: string): boolean {
  return head.startsWith("\xff\xfe") || head.startsWith("\xfe\xff");
}

import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Image } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { isImage } from "../../images.ts";

/** Bytes of one image, and of all of them. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_IMAGES = 20;
const types = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The images of a command line. What they are is told by how they begin. Throws `usage` for the first that is none. */
export async function readImages(paths: readonly string[]): Promise<Image[]> {
  if (paths.length > MAX_IMAGES) throw new MortiseError("usage", { seen: `${paths.length} images, which is more than ${MAX_IMAGES}` });
  const images: Image[] = [];
  for (const path of paths) images.push(await readImage(resolve(path)));
  return images;
}

/** An image by its bytes in base64; undefined for what is none that models take. */
export function imageOf(base64: string): Image | undefined {
  return types.map((mediaType) => ({ mediaType, base64 })).find(isImage);
}

async function readImage(path: string): Promise<Image> {
  const refuse = (why: string, cause?: unknown) => new MortiseError("usage", { seen: `${path} ${why}`, cause });
  // A pipe by this name would be waited for.
  const info = await stat(path).catch((cause: unknown) => {
    throw refuse("cannot be read as an image", cause);
  });
  if (!info.isFile()) throw refuse("is no file");
  if (info.size > MAX_BYTES) throw refuse(`has more than ${MAX_BYTES} bytes`);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw refuse("cannot be read as an image", cause);
  });
  const image = imageOf(bytes.toString("base64"));
  if (image === undefined) throw refuse("is no PNG, JPEG, GIF or WebP image");
  return image;
}

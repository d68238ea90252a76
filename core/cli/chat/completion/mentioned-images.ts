import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Image } from "../../../../sdk/api.ts";
import { readImages } from "../../headless/read-images.ts";
import { mentionedPaths } from "./mention-at.ts";

export type MentionedImages = {
  images: Image[];
  /** What was mentioned as an image and cannot be sent, and why. */
  problems: string[];
};

const MOST = 20;

/**
 * The images that a message mentions, as `@shot.png`: they are sent beside it. Other files are not: the text names them, and the model reads
 * what it needs of them by its tools, with the permissions that count for those.
 */
export async function mentionedImages(text: string, cwd: string): Promise<MentionedImages> {
  const found: MentionedImages = { images: [], problems: [] };
  for (const path of mentionedPaths(text).filter((each) => /\.(png|jpe?g|gif|webp)$/i.test(each))) {
    const file = path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(cwd, path);
    // A name that nothing has is text like any other.
    if ((await stat(file).catch(() => undefined)) === undefined) continue;
    if (found.images.length === MOST) {
      found.problems.push(`Only ${MOST} images go with one message: ${path} does not.`);
      continue;
    }
    try {
      found.images.push(...(await readImages([file])));
    } catch (error) {
      found.problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  return found;
}

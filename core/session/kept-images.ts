import type { Image } from "../../sdk/api.ts";
import { imageFacts } from "../images.ts";
import type { ImageFact } from "./records.ts";

/** Characters of base64 that the images in one log have together. Later ones are left out of it. */
export const LOG_IMAGE_CHARS = 32 * 1024 * 1024;

export type KeptImages = {
  /** What is written of something with images: those there is room for, and facts of the others. */
  keep<Shown extends { images?: readonly Image[] }>(shown: Shown): { kept: Shown; left?: ImageFact[] };
  /** Images that are in the log already. */
  count(images: readonly Image[] | undefined): void;
};

/** Keeps every image. */
export const allImages: KeptImages = { keep: (shown) => ({ kept: shown }), count() {} };

export function createKeptImages(limit: number): KeptImages {
  let room = limit;
  const take = ({ base64 }: Image) => {
    if (base64.length > room) return false;
    room -= base64.length;
    return true;
  };
  return {
    keep(shown) {
      if (shown.images === undefined) return { kept: shown };
      const kept = shown.images.filter(take);
      if (kept.length === shown.images.length) return { kept: shown };
      const { images, ...rest } = shown;
      const left = imageFacts(images.filter((image) => !kept.includes(image)));
      return { kept: (kept.length === 0 ? rest : { ...rest, images: kept }) as typeof shown, left };
    },
    count(images) {
      for (const { base64 } of images ?? []) room -= base64.length;
    },
  };
}

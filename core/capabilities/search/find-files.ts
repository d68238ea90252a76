import { basename, dirname, join } from "node:path";
import type { FoundFiles } from "../../../sdk/api.ts";
import { createGlob, splitGlob } from "../fs/glob.ts";
import { holdFolder } from "../fs/opened.ts";
import { createPaths, type LeftOut } from "./left-out.ts";
import { walkByRules } from "./odd-ignore-files.ts";
import { endOf, type Place } from "./place.ts";
import type { Ripgrep } from "./ripgrep.ts";
import { walkArguments } from "./ripgrep-arguments.ts";
import { givenPath } from "./shown-path.ts";

export type FindOptions = { glob: string; ignored: boolean; limit: number };

/** The folder that a pattern begins in, and the rest of it. */
export function startOf(pattern: string): { folder: string; glob: string } {
  const { folder, glob } = splitGlob(pattern);
  if (glob === "") return { folder: dirname(folder), glob: basename(folder) };
  return { folder: folder === "" ? "." : folder, glob };
}

/** Files of a folder that fit a pattern, the newest first. Names that a rule denies are left out. */
export async function findFiles(
  place: Place,
  { glob, ignored, limit }: FindOptions,
  { ripgrep, leftOut }: { ripgrep: Ripgrep; leftOut: LeftOut },
): Promise<FoundFiles> {
  const fits = createGlob(glob);
  const depth = glob.split("/").includes("**") ? [] : [`--max-depth=${glob.split("/").length}`];
  let files: string[] = [];
  let more = false;
  let denied = 0;
  const reader = () =>
    createPaths((bytes) => {
      const path = bytes.toString().replace(/^\.\//, "");
      if (!fits(path)) return;
      const canonical = join(place.root, path);
      if (!place.reach.covers(canonical)) return;
      if (leftOut(canonical) === "denied") denied++;
      else if (files.length < limit) files.push(givenPath(canonical, place.cwd));
      else more = true;
    });
  const folder = await holdFolder(place.root);
  try {
    if (place.starts.length === 0) return { files, more, leftOut: 0, unreadable: 0, ended: "done" };
    const { done, oddRules } = await walkByRules(place, ignored, async (attempt) => {
      [files, more, denied] = [[], false, 0];
      const read = reader();
      return ripgrep.run({
        args: [
          "--files",
          "--null",
          "--no-ignore-messages",
          "--sortr=modified",
          ...depth,
          ...walkArguments({ ignored: attempt.ignored, root: place.root }),
          "--",
          ...place.starts,
        ],
        cwd: folder.entry("."),
        signal: attempt.place.signal,
        onOutput(chunk) {
          attempt.heard();
          read(chunk);
          return !more;
        },
      });
    });
    const { ended, errorLines } = done;
    return {
      files,
      more,
      leftOut: denied,
      unreadable: errorLines,
      ended: more ? "done" : endOf(ended, place.signal),
      ...(oddRules === null ? {} : { oddRules: givenPath(oddRules, place.cwd) }),
    };
  } finally {
    await folder.close();
  }
}

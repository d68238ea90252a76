import * as z from "zod/mini";
import { Path, parseArguments, Word } from "../arguments.ts";
import type { Caller, CapabilitiesHost, Methods } from "../capabilities.ts";
import { canonicalPath } from "../fs/canonical-path.ts";
import { fileFailed } from "../fs/file-failed.ts";
import { globFiles } from "../fs/glob-files.ts";
import { notGranted, scopesOf } from "../granted.ts";
import { findFiles, startOf } from "./find-files.ts";
import { findPlace, reachOf, requireEntry } from "./place.ts";
import type { Ripgrep } from "./ripgrep.ts";
import { searchFiles } from "./search-files.ts";
import { createSmallTrees } from "./small-tree.ts";
import { walkFolder } from "./walk-folder.ts";

const whole = (minimum: number, maximum: number) => z.int().check(z.minimum(minimum), z.maximum(maximum));
const Glob = Word.check(z.minLength(1), z.maxLength(1_000));
const SearchArguments = z.tuple([
  z.object({
    pattern: Word.check(z.minLength(1), z.maxLength(100_000)),
    path: z.nullish(Path),
    include: z.nullish(z.union([Glob, z.array(Glob).check(z.maxLength(100))])),
    literal: z.nullish(z.boolean()),
    letterCase: z.nullish(z.enum(["sensitive", "insensitive", "smart"])),
    multiline: z.nullish(z.boolean()),
    before: z.nullish(whole(0, 1_000)),
    after: z.nullish(whole(0, 1_000)),
    output: z.nullish(z.enum(["lines", "files", "counts"])),
    ignored: z.nullish(z.boolean()),
    limit: z.nullish(whole(1, 1_000_000)),
    maxBytes: z.nullish(whole(1, 16 * 1024 * 1024)),
    maxLineChars: z.nullish(whole(1, 100_000)),
    pictures: z.nullish(z.boolean()),
    hold: z.nullish(z.boolean()),
  }),
]);

const GlobArguments = z.tuple([Glob, z.optional(z.object({ cwd: z.nullish(Path), limit: z.nullish(whole(1, 10_000)) }))]);
const FindArguments = z.tuple([
  Glob,
  z.optional(z.object({ path: z.nullish(Path), ignored: z.nullish(z.boolean()), limit: z.nullish(whole(1, 10_000)) })),
]);
const WalkArguments = z.tuple([
  Path,
  z.optional(z.object({ depth: z.nullish(whole(1, 100)), ignored: z.nullish(z.boolean()), limit: z.nullish(whole(1, 10_000)) })),
]);

const defaults = { limit: 1_000, maxBytes: 1024 * 1024, maxLineChars: 500 };

export type SearchHost = Pick<CapabilitiesHost, "cwd" | "storeFolder"> & {
  leftOut: NonNullable<CapabilitiesHost["leftOut"]>;
  /** Globs that every file fits that holds secrets. */
  secretNames: readonly string[];
};

/** Searching in folders, within the grant and the time of the call. */
export function searchMethods(host: SearchHost, ripgrep: Ripgrep): Methods {
  const trees = createSmallTrees(host.secretNames);
  return {
    "fs.search": async (args, caller) => {
      const [request] = parseArguments("fs.search", SearchArguments, args);
      const place = await findPlace(request.path ?? ".", cwdOf(caller, host), caller, host);
      await requireEntry(place);
      const { include } = request;
      const { parts, ...found } = await searchFiles(
        place,
        {
          pattern: request.pattern,
          include: include === undefined || include === null ? [] : typeof include === "string" ? [include] : include,
          literal: request.literal ?? false,
          letterCase: request.letterCase ?? "sensitive",
          multiline: request.multiline ?? undefined,
          before: request.before ?? 0,
          after: request.after ?? 0,
          output: request.output ?? "lines",
          ignored: request.ignored ?? false,
          limit: request.limit ?? defaults.limit,
          maxBytes: request.maxBytes ?? defaults.maxBytes,
          maxLineChars: request.maxLineChars ?? defaults.maxLineChars,
          pictures: request.pictures ?? false,
        },
        { ripgrep, trees, secretNames: host.secretNames, leftOut: leftOutFor(caller, place.root, host) },
      );
      const held = request.hold === true && parts.length > 0 ? caller.call?.hold?.(parts) : undefined;
      return held === undefined ? { ...found, text: parts.join("") } : { ...found, files: [], text: "", held };
    },
    "fs.glob": async (args, caller) => {
      const [pattern, options] = parseArguments("fs.glob", GlobArguments, args);
      const { folder, glob } = startOf(pattern);
      const root = await canonicalPath(folder, await canonicalPath(options?.cwd ?? ".", cwdOf(caller, host)));
      const reach = await reachOf(caller, host);
      if (scopesOf(caller, "fs_read") !== true && !reach.reaches(root)) throw notGranted(caller, `fs_read of ${root}`);
      return globFiles(glob, { root, limit: options?.limit ?? defaults.limit, reach, signal: caller.call?.signal });
    },
    "fs.find": async (args, caller) => {
      const [pattern, options] = parseArguments("fs.find", FindArguments, args);
      const { folder, glob } = startOf(pattern);
      const from = await canonicalPath(options?.path ?? ".", cwdOf(caller, host));
      const place = await findPlace(folder, from, caller, host);
      if (!place.isFolder) throw fileFailed(place.root, { code: "ENOTDIR" });
      await requireEntry(place);
      const wanted = { glob, ignored: options?.ignored ?? false, limit: options?.limit ?? defaults.limit };
      return findFiles(place, wanted, { ripgrep, leftOut: leftOutFor(caller, place.root, host) });
    },
    "fs.walk": async (args, caller) => {
      const [path, options] = parseArguments("fs.walk", WalkArguments, args);
      const place = await findPlace(path, cwdOf(caller, host), caller, host);
      const wanted = { depth: options?.depth ?? 1, ignored: options?.ignored ?? false, limit: options?.limit ?? defaults.limit };
      return walkFolder(place, wanted, leftOutFor(caller, place.root, host));
    },
  };
}

function cwdOf(caller: Caller, host: Pick<CapabilitiesHost, "cwd">): string {
  return caller.call?.cwd ?? host.cwd;
}

function leftOutFor({ call }: Caller, folder: string, { leftOut }: Pick<SearchHost, "leftOut">) {
  return leftOut({ tool: call?.running?.tool ?? null, sessionId: call?.sessionId ?? null, folder });
}

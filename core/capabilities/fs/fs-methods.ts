import { lstat, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import * as z from "zod/mini";
import type { FileStat } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { userFolders } from "../../config/folders.ts";
import { Path, parseArguments } from "../arguments.ts";
import type { Caller, CapabilitiesHost, Methods } from "../capabilities.ts";
import { notGranted, scopesOf } from "../granted.ts";
import { canonicalEntry, canonicalPath, danglingLink } from "./canonical-path.ts";
import { fileFailed } from "./file-failed.ts";
import { makeFolder, removeEntry, typeOf } from "./folders.ts";
import { holdFolder } from "./opened.ts";
import { isInside, pathAllowed } from "./path-scope.ts";
import { requirePermitted } from "./permitted-path.ts";
import { createProtectedPaths } from "./protected-path.ts";
import { MAX_FILE_BYTES, readBytes, readText } from "./read-file.ts";
import { readWindow } from "./read-window.ts";
import { createReadable } from "./readable.ts";
import { versionOf } from "./version.ts";
import { appendText, writeText } from "./write-file.ts";

const count = (maximum: number) => z.int().check(z.minimum(1), z.maximum(maximum));
const OnePath = z.tuple([Path]);
const Text = z.string().check(z.refine((text) => Buffer.byteLength(text) <= MAX_FILE_BYTES));
const PathAndText = z.tuple([Path, Text]);
const WriteArguments = z.tuple([Path, Text, z.optional(z.object({ ifVersion: z.optional(z.nullable(z.string())) }))]);
const BytesArguments = z.tuple([
  Path,
  z.optional(z.object({ offset: z.nullish(z.int().check(z.minimum(0), z.maximum(2 ** 52))), length: z.nullish(count(MAX_FILE_BYTES)) })),
]);
const WindowArguments = z.tuple([
  Path,
  z.optional(
    z.object({
      offset: z.nullish(count(2 ** 40)),
      limit: z.nullish(count(100_000)),
      column: z.nullish(count(2 ** 40)),
      maxLineChars: z.nullish(count(1_000_000)),
    }),
  ),
]);
const RemoveArguments = z.tuple([Path, z.optional(z.object({ recursive: z.nullish(z.boolean()) }))]);

const defaults = { limit: 2_000, maxLineChars: 10_000 };

/** Files and folders. Paths are relative to the call's folder, scopes to the project; both are canonical before they are compared. */
export function fsMethods({
  cwd: project,
  storeFolder,
  protectedFolders,
  locks,
  places = { project, trusted: false, user: userFolders().config, home: homedir() },
}: Pick<CapabilitiesHost, "cwd" | "storeFolder" | "protectedFolders" | "locks" | "places">): Methods {
  const guarded = createProtectedPaths(storeFolder, protectedFolders);
  const cwdOf = (caller: Caller) => caller.call?.cwd ?? project;
  const { toRead, toOpen } = createReadable({ cwd: project, storeFolder, protectedFolders });
  const toWrite = async (path: string, caller: Caller, how: "written" | "removed" = "written"): Promise<string> => {
    const canonical = await (how === "removed" ? canonicalEntry : canonicalPath)(path, cwdOf(caller));
    requirePermitted(path, canonical, caller);
    if (await guarded[how](canonical)) throw new MortiseError("protected_path", { seen: canonical });
    if (how === "written") await refuseLinkOut(path, canonical, cwdOf(caller));
    if (!(await pathAllowed(canonical, scopesOf(caller, "fs_write"), project))) throw notGranted(caller, `fs_write of ${canonical}`);
    return canonical;
  };

  /** A link to something that is there was judged by where it leads; one to nothing, that leads out, was made to be written through. */
  const refuseLinkOut = async (path: string, canonical: string, cwd: string): Promise<void> => {
    const homes = [project, await canonicalPath(cwd, "/")];
    const isHome = (each: string) => homes.some((home) => isInside(each, home));
    if (isHome(canonical)) return;
    const dangling = await danglingLink(path, cwd);
    if (dangling === undefined || !isHome(dangling.at) || isHome(dangling.to)) return;
    throw fileFailed(path, `${dangling.at} is a link out of the project to ${dangling.to}, where nothing is`);
  };

  return {
    "fs.read": async (args, caller) => {
      const [path] = parseArguments("fs.read", OnePath, args);
      return readText(await toOpen(path, caller));
    },
    "fs.readWindow": async (args, caller) => {
      const [path, window] = parseArguments("fs.readWindow", WindowArguments, args);
      const options = {
        offset: window?.offset ?? 1,
        limit: window?.limit ?? defaults.limit,
        column: window?.column ?? 1,
        maxLineChars: window?.maxLineChars ?? defaults.maxLineChars,
      };
      return readWindow(await toOpen(path, caller), options, caller.call?.signal);
    },
    "fs.readBytes": async (args, caller) => {
      const [path, part] = parseArguments("fs.readBytes", BytesArguments, args);
      const bytes = await readBytes(await toOpen(path, caller), { offset: part?.offset ?? 0, length: part?.length ?? MAX_FILE_BYTES });
      return bytes.toString("base64");
    },
    "fs.stat": async (args, caller) => {
      const [path] = parseArguments("fs.stat", OnePath, args);
      return statOf(await toRead(path, caller));
    },
    "fs.list": async (args, caller) => {
      const [path] = parseArguments("fs.list", OnePath, args);
      return list(await toRead(path, caller));
    },
    "fs.realpath": async (args, caller) => {
      const [path] = parseArguments("fs.realpath", OnePath, args);
      const canonical = await toRead(path, caller);
      if ((await statOf(canonical)) === undefined) throw fileFailed(path, { code: "ENOENT" });
      return canonical;
    },
    "fs.cwd": async (_args, caller) => cwdOf(caller),
    "fs.places": async () => places,
    "fs.write": async (args, caller) => {
      const [path, text, options] = parseArguments("fs.write", WriteArguments, args);
      await writeText(await toWrite(path, caller), text, { ifVersion: options?.ifVersion, locks });
    },
    "fs.append": async (args, caller) => {
      const [path, text] = parseArguments("fs.append", PathAndText, args);
      await appendText(await toWrite(path, caller), text);
    },
    "fs.mkdir": async (args, caller) => {
      const [path] = parseArguments("fs.mkdir", OnePath, args);
      await makeFolder(await toWrite(path, caller));
    },
    "fs.remove": async (args, caller) => {
      const [path, options] = parseArguments("fs.remove", RemoveArguments, args);
      await removeEntry(await toWrite(path, caller, "removed"), { recursive: options?.recursive ?? false, keep: guarded.removed });
    },
  };
}

/** Undefined where nothing is there. */
async function statOf(canonical: string): Promise<FileStat | undefined> {
  try {
    const stats = await lstat(canonical, { bigint: true });
    return { type: typeOf(stats), bytes: Number(stats.size), mtimeMs: Number(stats.mtimeNs) / 1e6, version: versionOf(stats) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw fileFailed(canonical, error);
  }
}

async function list(canonical: string): Promise<{ name: string; type: FileStat["type"] }[]> {
  const folder = await holdFolder(canonical);
  try {
    const entries = await readdir(folder.entry("."), { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, type: typeOf(entry) })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw fileFailed(canonical, error);
  } finally {
    await folder.close();
  }
}

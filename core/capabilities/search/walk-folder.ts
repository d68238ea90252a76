import { lstat, opendir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { WalkedEntry, WalkedFolder } from "../../../sdk/api.ts";
import { fileFailed } from "../fs/file-failed.ts";
import { holdFolder } from "../fs/opened.ts";
import { type IgnoreRules, isIgnored, rulesAbove, rulesOf } from "./ignore-rules.ts";
import type { LeftOut } from "./left-out.ts";
import type { Place } from "./place.ts";

export type WalkOptions = {
  /** Folders below each other that are opened: 1 is the folder itself. */
  depth: number;
  ignored: boolean;
  /** Entries in all. */
  limit: number;
};

/** Entries of one folder that are looked at. */
const MAX_ENTRIES = 20_000;

type Node = { entry: WalkedEntry; children: Node[] };

/** The entries of a folder and of those below it, folders first, as a tree in the order that it is read in. What is near comes first where not all fits. */
export async function walkFolder(place: Place, { depth, ignored, limit }: WalkOptions, leftOut: LeftOut): Promise<WalkedFolder> {
  if (!place.isFolder) throw fileFailed(place.root, { code: "ENOTDIR" });
  const top: Node = { entry: { path: "", name: "", depth: 0, type: "folder", bytes: 0, more: 0 }, children: [] };
  const counts = { total: 0, ignored: 0, leftOut: 0 };
  const pending: { node: Node; rules: IgnoreRules[] }[] = [{ node: top, rules: ignored ? [] : await rulesAbove(place.root) }];

  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (place.signal.aborted) break;
    const { node, rules: above } = next;
    const folder = join(place.root, node.entry.path);
    const rules = ignored ? [] : [...above, await rulesOf(folder)];
    const listed = await list(folder).catch((error: unknown) => {
      if (node === top) throw error;
      node.entry.unreadable = true;
      return { found: [], cut: false };
    });
    for (const found of listed.found) {
      const canonical = join(folder, found.name);
      if (found.type === "folder" ? !place.reach.reaches(canonical) : !place.reach.covers(canonical)) continue;
      if (leftOut(canonical) === "denied") counts.leftOut++;
      else if (found.name === ".git" && !place.root.endsWith("/.git")) continue;
      else if (!ignored && isIgnored(canonical, found.type === "folder", rules)) counts.ignored++;
      else if (counts.total >= limit) node.entry.more++;
      else {
        counts.total++;
        const path = node.entry.path === "" ? found.name : `${node.entry.path}/${found.name}`;
        const child: Node = { entry: { ...found, path, depth: node.entry.depth + 1, bytes: 0, more: 0 }, children: [] };
        node.children.push(child);
        if (found.type === "folder" && child.entry.depth < depth) pending.push({ node: child, rules });
      }
    }
    if (listed.cut) node.entry.cut = true;
    await Promise.all(node.children.map(({ entry }) => describe(entry, join(place.root, entry.path))));
  }
  const { more, cut = false } = top.entry;
  return { entries: flat(top.children), more, cut, ...counts, ended: place.signal.aborted ? "cancelled" : "done" };
}

type Found = Pick<WalkedEntry, "name" | "type">;

/** By a held folder, so that no other can be put in its place. */
async function list(canonical: string): Promise<{ found: Found[]; cut: boolean }> {
  const held = await holdFolder(canonical);
  try {
    const found: Found[] = [];
    for await (const entry of await opendir(held.entry("."), { bufferSize: 256 })) {
      if (found.length === MAX_ENTRIES) return { found: sorted(found), cut: true };
      const type = entry.isFile() ? "file" : entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other";
      found.push({ name: entry.name, type });
    }
    return { found: sorted(found), cut: false };
  } catch (error) {
    throw fileFailed(canonical, error);
  } finally {
    await held.close();
  }
}

function sorted(found: Found[]): Found[] {
  const rank = ({ type }: Found) => (type === "folder" ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** What is gone meanwhile stays as it was listed. */
async function describe(entry: WalkedEntry, canonical: string): Promise<void> {
  if (entry.type === "file") {
    const stats = await lstat(canonical).catch(() => undefined);
    if (stats === undefined) entry.unreadable = true;
    else entry.bytes = stats.size;
  }
  if (entry.type === "link") entry.target = await readlink(canonical).catch(() => "");
}

function flat(nodes: readonly Node[]): WalkedEntry[] {
  return nodes.flatMap(({ entry, children }) => [entry, ...flat(children)]);
}

import type { Window } from "mortise/sdk";
import { isInside, type Places, type SkillFolder, skillFolders } from "./folders.ts";
import { MAX_HEAD_LINES, readFrontmatter } from "./frontmatter.ts";

export type Skill = {
  name: string;
  description: string;
  /** Its folder and file, canonical. */
  folder: string;
  file: string;
  /** The folder of skills it lies in. */
  within: SkillFolder;
  /** The line of its text, counted from 0. */
  bodyLine: number;
  /** Whether it comes from a project that nobody trusts. */
  untrusted: boolean;
  /** Where others of this name lie, which do not count. */
  hidden: string[];
};

export type Problem = { place: string; reason: string };
export type Found = { skills: Skill[]; problems: Problem[] };

/** What is asked of the host; `api.fs` is one. */
export type Files = {
  list(path: string): Promise<{ name: string; type: string }[]>;
  realpath(path: string): Promise<string>;
  stat(path: string): Promise<{ type: string } | undefined>;
  readWindow(path: string, window: { offset?: number; limit?: number; maxLineChars?: number }): Promise<Window>;
};

/** Skills looked at in one folder. */
const MAX_IN_FOLDER = 100;
const MAX_LINE_CHARS = 4_000;

/** Every skill there is, by name; of those with one name the nearest counts, but none of an untrusted project over the user's own. What is broken or leads out of its folder is told. */
export async function findSkills(files: Files, cwd: string, places: Places): Promise<Found> {
  const found: Found = { skills: [], problems: [] };
  const seen = new Set<string>();
  for (const within of inOrder(skillFolders(cwd, places), places)) {
    const base = await realFolder(files, within, places, found);
    // The same folder by another name, as where the user's home is the project.
    if (base === undefined || seen.has(base)) continue;
    seen.add(base);
    for (const each of await skillsIn(files, base, within, places, found)) add(found, each);
  }
  found.skills.sort((a, b) => (a.name < b.name ? -1 : 1));
  return found;
}

function inOrder(folders: readonly SkillFolder[], { trusted }: Places): readonly SkillFolder[] {
  if (trusted) return folders;
  return [...folders.filter(({ from }) => from === "user"), ...folders.filter(({ from }) => from === "project")];
}

async function realFolder(files: Files, { path, shown, from }: SkillFolder, { project }: Places, found: Found): Promise<string | undefined> {
  if ((await files.stat(path).catch(() => undefined))?.type !== "folder") return undefined;
  const real = await files.realpath(path).catch(() => undefined);
  if (real === undefined || from === "user" || isInside(real, project)) return real;
  found.problems.push({ place: shown, reason: "it leads out of the project" });
  return undefined;
}

async function skillsIn(files: Files, base: string, within: SkillFolder, places: Places, found: Found): Promise<Skill[]> {
  const problem = (name: string, reason: string) => void found.problems.push({ place: `${within.shown}/${name}`, reason });
  const entries = await files.list(base).catch(() => []);
  // Links are neither files nor folders here.
  const names = entries.filter(({ type, name }) => type !== "file" && !name.startsWith(".")).map(({ name }) => name);
  if (names.length > MAX_IN_FOLDER) problem("", `only the first ${MAX_IN_FOLDER} of ${names.length} folders in it are read`);
  const made = await Promise.all(
    names.slice(0, MAX_IN_FOLDER).map(async (name): Promise<Skill | undefined> => {
      const file = await files.realpath(`${base}/${name}/SKILL.md`).catch(() => undefined);
      if (file === undefined) return undefined;
      const folder = await files.realpath(`${base}/${name}`);
      if (!isInside(folder, base) || folder === base || !isInside(file, folder)) return problem(name, "it leads out of the folder of skills");
      const window = await files.readWindow(file, { limit: MAX_HEAD_LINES + 1, maxLineChars: MAX_LINE_CHARS }).catch(() => undefined);
      if (window === undefined || window.encoding === "binary") return problem(name, "its SKILL.md cannot be read as text");
      const head = readFrontmatter(window.lines);
      if ("broken" in head) return problem(name, head.broken);
      return { ...head, folder, file, within, untrusted: within.from === "project" && !places.trusted, hidden: [] };
    }),
  );
  return made.filter((skill) => skill !== undefined);
}

function add({ skills }: Found, skill: Skill): void {
  const nearer = skills.find(({ name }) => name === skill.name);
  if (nearer === undefined) skills.push(skill);
  else nearer.hidden.push(skill.within.shown);
}

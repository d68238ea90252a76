/** A folder that may hold skills, the nearest first. */
export type SkillFolder = {
  path: string;
  /** As a person names it. */
  shown: string;
  from: "project" | "user";
};

export type Places = { project: string; trusted: boolean; user: string; home: string };

const NAMES = [".mortise", ".claude", ".agents"];
/** Folders above the working one that are looked at. */
const MAX_LEVELS = 20;

/** Where skills are looked for: in the working folder and those above it up to the project's, then the user's own. */
export function skillFolders(cwd: string, { project, user, home }: Places): SkillFolder[] {
  const inProject = levels(cwd, project)
    .filter((folder) => folder !== home)
    .flatMap((folder) =>
      NAMES.map((name) => ({ path: `${folder}/${name}/skills`, shown: shownIn(`${folder}/${name}/skills`, project), from: "project" as const })),
    );
  const own = [`${user}/skills`, ...NAMES.slice(1).map((name) => `${home}/${name}/skills`)];
  return [
    ...inProject,
    ...own.map((path) => ({ path, shown: path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path, from: "user" as const })),
  ];
}

function levels(cwd: string, project: string): string[] {
  const found: string[] = [];
  for (let at = isInside(cwd, project) ? cwd : project; found.length < MAX_LEVELS; at = at.slice(0, at.lastIndexOf("/"))) {
    found.push(at);
    if (at === project) return found;
  }
  return [...found, project];
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function shownIn(path: string, project: string): string {
  return path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
}

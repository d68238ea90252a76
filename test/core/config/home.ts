import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Folders, type Project, projectOf } from "../../../core/config/folders.ts";

/** A user's folders and a project, all fresh, removed after the test. */
export async function freshHome(): Promise<{ folders: Folders; root: string; project: Project; write(path: string, text: string): string }> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "mortise-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const folders = { config: join(top, "config"), cache: join(top, "cache"), state: join(top, "state") };
  const root = join(top, "project");
  const write = (path: string, text: string) => {
    const full = join(top, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  mkdirSync(join(root, ".git"), { recursive: true });
  return { folders, root, project: await projectOf(root), write };
}

import { relative, sep } from "node:path";
import { MortiseError } from "../../sdk/errors.ts";
import { sha256 } from "../config/project-files.ts";
import type { Settings } from "../config/settings.ts";
import { trustOf } from "../config/trust.ts";
import type { BuiltPlugin } from "./plugin.ts";

/** Throws `not_trusted` unless what was bundled of a project's folder is, byte for byte, what a person trusts at this moment. */
export async function checkPinned(
  { inputs = [], manifest }: BuiltPlugin,
  { project, folders }: Pick<Settings, "project" | "folders">,
): Promise<void> {
  const { state, files } = await trustOf(project, folders);
  const folder = project.folder;
  if (state !== "trusted" || folder === null) throw new MortiseError("not_trusted", { seen: project.root, plugin: manifest.name });
  for (const { path, hash } of inputs) {
    if (!path.startsWith(folder + sep)) continue;
    const bytes = files.get(relative(folder, path).split(sep).join("/"));
    if (bytes === undefined || sha256(bytes) !== hash) throw new MortiseError("not_trusted", { seen: path, plugin: manifest.name });
  }
}

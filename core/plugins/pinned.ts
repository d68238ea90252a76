import { relative, sep } from "node:path";
import { MortiseError } from "../../sdk/errors.ts";
import { sha256 } from "../config/project-files.ts";
import type { Settings } from "../config/settings.ts";
import { trustOf } from "../config/trust.ts";
import type { BuiltPlugin } from "./plugin.ts";

/**
 * Builds a project's plugin from what a person trusts at this moment, or for this host alone, byte for byte, and from nothing else.
 * Throws `not_trusted`, before anything is built where the project is not, and for what it imports from elsewhere.
 */
export async function buildPinned<T extends BuiltPlugin>(
  { project, folders, trust }: Pick<Settings, "project" | "folders" | "trust">,
  build: () => Promise<T>,
): Promise<T> {
  const { state, files } = trust.forNow === true ? trust : await trustOf(project, folders);
  const { root, folder } = project;
  if (state !== "trusted" || folder === null) throw new MortiseError("not_trusted", { seen: state === "changed" ? `${root} has changed` : root });
  const built = await build();
  const plugin = built.manifest.name;
  for (const { path, hash } of built.inputs ?? []) {
    const bytes = path.startsWith(folder + sep) ? files.get(relative(folder, path).split(sep).join("/")) : undefined;
    if (bytes === undefined)
      throw new MortiseError("not_trusted", { seen: `${path} is not in .mortise/plugins, which is all that trust covers`, plugin });
    if (sha256(bytes) !== hash) throw new MortiseError("not_trusted", { seen: `${path} has just changed`, plugin });
  }
  return built;
}

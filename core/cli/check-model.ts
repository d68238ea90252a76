import type { Finding } from "./checks.ts";
import { folderOf } from "./cwd.ts";

/** Whether the models that the config names can be opened. Nothing is sent to them. */
export async function checkModel({ cwd }: { cwd?: string | undefined }): Promise<Finding[]> {
  const [{ loadSettings }, { defaultModel, openModel }] = await Promise.all([import("../config/settings.ts"), import("../models/open-model.ts")]);
  const settings = await loadSettings({ cwd: await folderOf(cwd) });
  const standard = defaultModel(settings);
  const named = [...new Set([standard, ...Object.values(settings.models.tiers ?? {})])];
  return Promise.all(
    named.map(async (spec): Promise<Finding> => {
      try {
        await openModel(spec, settings);
        return { state: "ok", check: "model", message: spec === "embedded/scripted" ? `${spec}: rules that need no key, and no model` : spec };
      } catch (error) {
        const message = `${spec}: ${error instanceof Error ? error.message : String(error)}`;
        return { state: "warning", check: "model", message, fix: "`mortise models` says which providers have a key" };
      }
    }),
  );
}

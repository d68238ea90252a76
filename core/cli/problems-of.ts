import { sep } from "node:path";
import type { Host, PluginInfo, Problem } from "../host-types.ts";

/** A host's problems as a person reads them: each with the file it is about, and a plugin that does not load with the way to switch its guards off. */
export function problemsOf(host: Host): Problem[] {
  const failed = host.plugins().filter((plugin) => plugin.failed !== null);
  return host.problems().map((problem) => {
    const { severity, path, message } = problem;
    if (severity !== "error" || path === undefined) return problem;
    const stands = failed.find((plugin) => plugin.path === path || plugin.path.startsWith(path + sep));
    return {
      ...problem,
      plugin: problem.plugin ?? stands?.name ?? null,
      message: message.includes(path) ? message : `${path}: ${message}`,
      ...(stands !== undefined && guards(stands)
        ? { fix: `What it guards stays closed until it loads. \`mortise plugins disable ${stands.name}\` opens it` }
        : {}),
    };
  });
}

function guards({ manifest }: PluginInfo): boolean {
  return manifest.judges.length + manifest.redactors.length > 0 || manifest.layers.some(({ onFailure }) => onFailure === "block");
}

import type { BuiltPlugin } from "../../../core/plugins/plugin.ts";
import type { Manifest } from "../../../sdk/wire.ts";

/** A plugin as if it was built, with what a test says about it. */
export function builtPlugin({
  path = "/plugins/a.ts",
  sourceHash = "1",
  ...manifest
}: Partial<Manifest> & { path?: string; sourceHash?: string }): BuiltPlugin {
  const none = { layers: [], judges: [], redactors: [], autocmds: [], slots: [], tools: [], commands: [], rules: [] };
  return {
    path,
    code: "",
    hash: sourceHash,
    sourceHash,
    manifest: { name: "a", capabilities: {}, steer: [], isolation: "shared", options: {}, ...none, ...manifest },
  };
}

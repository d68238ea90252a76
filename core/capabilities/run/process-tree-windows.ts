import { execFileSync } from "node:child_process";
import type { TreePlatform } from "./process-tree.ts";

/** `taskkill` knows the tree; there is no way to ask kindly. */
export const platform: TreePlatform = {
  startedAt: () => null,
  members(root) {
    try {
      process.kill(root.pid, 0);
      return [root.pid];
    } catch {
      return [];
    }
  },
  signal(root) {
    try {
      execFileSync("taskkill", ["/PID", String(root.pid), "/T", "/F"], { stdio: "ignore" });
    } catch {}
  },
};

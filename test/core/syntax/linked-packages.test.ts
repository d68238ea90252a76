import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mortise-linked-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the syntax process finds its parser where node_modules is a link", () => {
  for (const part of ["dist", "package.json", "core/cli/mortise.mjs", "core/node-version.mjs"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const homes = { MORTISE_CONFIG_HOME: join(folder, "c"), MORTISE_STATE_HOME: join(folder, "s"), MORTISE_CACHE_HOME: join(folder, "k") };
  const run = spawnSync(process.execPath, [join(folder, "core/cli/mortise.mjs"), "rules", "explain", "git status"], {
    cwd: folder,
    env: { ...process.env, ...homes },
    encoding: "utf8",
  });
  expect(run.stdout).toContain("no rule covers all of it");
  expect(run.stdout).not.toContain("not known before it runs");
});

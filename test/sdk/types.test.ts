import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const path = (from: string) => fileURLToPath(new URL(from, import.meta.url));

describe("the types of mortise/sdk", () => {
  it("let through what a plugin may write, and refuse every line that is marked", () => {
    const tsc = spawnSync(path("../../node_modules/.bin/tsc"), ["-p", path("types"), "--pretty", "false"], { encoding: "utf8" });
    expect(tsc.stdout).toBe("");
    expect(tsc.status).toBe(0);
  });
});

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const file = fileURLToPath(new URL("../../../../core/isolate/runner/plugin-isolate.ts", import.meta.url));

describe("createIsolateMaker()", () => {
  it("is the last that an addon was loaded for", () => {
    const script = `
      await import(${JSON.stringify(file)});
      const { _extensions } = (await import("node:module")).default;
      const load = () => _extensions[".node"]({ exports: {} }, "/nowhere.node");
      try { load(); } catch (error) { console.log(typeof process.dlopen, error.message); }`;
    const printed = execFileSync(process.execPath, ["--no-node-snapshot", "--input-type=module", "-e", script], { encoding: "utf8" });
    expect(printed.trim()).toBe("undefined process.dlopen is not a function");
  });
});

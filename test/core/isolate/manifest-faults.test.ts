import { describe, expect, it } from "vitest";
import { manifestFaults } from "../../../core/isolate/manifest-faults.ts";

const none = { layers: [], judges: [], redactors: [], autocmds: [], slots: [], tools: [], commands: [], rules: [], options: {} };
const manifest = { name: "a", capabilities: {}, steer: [], isolation: "shared", ...none };
const tool = {
  handler: 0,
  scopes: null,
  name: "t",
  description: "d",
  kind: null,
  capability: null,
  audiences: null,
  timeoutMs: null,
  writes: null,
  aliases: {},
  inputSchema: {},
};

describe("manifestFaults()", () => {
  it("finds none in a manifest", () => {
    expect(manifestFaults(manifest)).toBeUndefined();
    expect(manifestFaults({ ...manifest, capabilities: { fs_read: ["src/**"], run: true }, tools: [tool] })).toBeUndefined();
  });

  it.each([
    [{ capabilitys: {} }, 'a definition has no field "capabilitys"; did you mean "capabilities"?'],
    [{ colour: 1 }, 'a definition has no field "colour"'],
    [{ capabilities: { fs_raed: true } }, 'capabilities.fs_raed: no capability has this name; did you mean "fs_read"?'],
    [{ capabilities: { disk: true } }, "capabilities.disk: no capability has this name; there are fs_read, fs_write, net, run, env"],
    [{ capabilities: { fs_read: "src/**" } }, "capabilities.fs_read: expected true or a list of scopes"],
    [{ name: "Bad Name" }, "name: lower case letters, digits, - and _, beginning with a letter, 64 characters at most"],
    [{ isolation: "own" }, 'isolation: expected one of "shared", "process"'],
    [{ tools: [{ ...tool, capability: "runn" }] }, 'tools[0].capability: expected one of "fs_read", "fs_write", "net", "run", "env"'],
    [{ tools: [{ ...tool, name: "x y" }] }, "tools[0].name: letters, digits, - and _, not beginning with a digit, 64 characters at most"],
  ])("says of %j what is wrong", (wrong, expected) => {
    expect(manifestFaults({ ...manifest, ...wrong })).toBe(expected);
  });
});

import { describe, expect, it } from "vitest";
import { gated } from "../../../core/capabilities/granted.ts";
import { capabilities, capabilityNames, freeMethods } from "../../../sdk/contract.ts";
import { bench } from "../../support/capabilities.ts";

const gives = async () => "done";

describe("gated()", () => {
  it("lets each method pass with its capability alone", async () => {
    for (const name of capabilityNames) {
      for (const method of capabilities[name].methods) {
        const { [method]: call } = gated({ [method]: gives });
        expect(await call?.([], { plugin: "probe", granted: { [name]: true }, call: null })).toBe("done");
        expect(await call?.([], { plugin: "probe", granted: { [name]: [] }, call: null })).toBe("done");
        const others = Object.fromEntries(capabilityNames.filter((other) => other !== name).map((other) => [other, true]));
        await expect(call?.([], { plugin: "probe", granted: others, call: null })).rejects.toMatchObject({
          code: "not_granted",
          plugin: "probe",
          seen: `${name}, asked for by probe`,
        });
      }
    }
  });

  it("lets free methods pass, and nothing that the contract does not name", async () => {
    const methods = gated({ "store.get": gives, "fs.format": gives });
    const caller = { plugin: "probe", granted: { fs_read: true, fs_write: true, net: true, run: true, env: true }, call: null } as const;
    expect(await methods["store.get"]?.([], { ...caller, granted: {} })).toBe("done");
    await expect(methods["fs.format"]?.([], caller)).rejects.toMatchObject({ code: "not_granted" });
    expect(methods.constructor).toBeUndefined();
  });
});

describe("createCapabilities()", () => {
  it("answers every method of the contract that costs a capability, and the store", async () => {
    const b = await bench();
    const known = Object.keys(b.capabilities.methods).sort();
    const stores = freeMethods.filter((method) => /^(store|projectStore)\./.test(method));
    expect(known).toEqual([...capabilityNames.flatMap((name) => capabilities[name].methods), ...stores].sort());
    await b.close();
  });

  it("refuses every one of them to a plugin that was granted nothing", async () => {
    const b = await bench();
    const call = b.as({ granted: {} });
    for (const name of capabilityNames)
      for (const method of capabilities[name].methods) await expect(call(method)).rejects.toMatchObject({ code: "not_granted" });
    await b.close();
  });
});

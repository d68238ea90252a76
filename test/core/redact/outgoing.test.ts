import { describe, expect, it } from "vitest";
import { redactOutgoing } from "../../../core/redact/outgoing.ts";
import { MortiseError } from "../../../sdk/errors.ts";

const clean = async (texts: readonly string[]) => texts.map((text) => text.replaceAll("secret", "[gone]"));

describe("redactOutgoing()", () => {
  it("cleans every text of a value, keys too", async () => {
    expect(await redactOutgoing(Promise.resolve({ secret: ["a secret", 1, null] }), clean)).toEqual({ "[gone]": ["a [gone]", 1, null] });
    expect(await redactOutgoing(Promise.resolve(undefined), clean)).toBeUndefined();
  });

  it("cleans why it failed, and keeps code and plugin", async () => {
    const failing = Promise.reject(new MortiseError("plugin_threw", { seen: "a secret", plugin: "p", cause: new Error("secret") }));
    const error = await redactOutgoing(failing, clean).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "plugin_threw", seen: "a [gone]", plugin: "p" });
    expect(String(error)).not.toContain("secret");
    expect((error as MortiseError).cause).toBeUndefined();
  });

  it("passes on what is no error of the host", async () => {
    await expect(redactOutgoing(Promise.reject(new TypeError("no")), clean)).rejects.toThrow(TypeError);
  });
});

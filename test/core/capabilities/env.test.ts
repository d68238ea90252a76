import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Bench, bench } from "../../support/capabilities.ts";

let b: Bench;
beforeEach(async () => {
  b = await bench();
  vi.stubEnv("PLAIN_SETTING", "plain");
  vi.stubEnv("PLAIN_API_KEY", "secret");
  vi.stubEnv("GITHUB_TOKEN", "secret");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await b.close();
});

const refused = { code: "not_granted", plugin: "probe" };

describe("env.get", () => {
  it("gives what the grant names, a secret too", async () => {
    const call = b.as({ granted: { env: ["GITHUB_TOKEN", "PLAIN_SETTING", "MISSING"] } });
    expect(await call("env.get", "GITHUB_TOKEN")).toBe("secret");
    expect(await call("env.get", "PLAIN_SETTING")).toBe("plain");
    expect(await call("env.get", "MISSING")).toBeUndefined();
    await expect(call("env.get", "PATH")).rejects.toMatchObject({ ...refused, seen: "env PATH, asked for by probe" });
  });

  it("keeps secrets from a grant that does not name them", async () => {
    const all = b.as({ granted: { env: true } });
    expect(await all("env.get", "PLAIN_SETTING")).toBe("plain");
    expect(await all("env.get", "__proto__")).toBeUndefined();
    for (const name of ["GITHUB_TOKEN", "PLAIN_API_KEY", "AWS_SESSION_TOKEN"]) await expect(all("env.get", name)).rejects.toMatchObject(refused);
    const prefix = b.as({ granted: { env: ["PLAIN_*"] } });
    expect(await prefix("env.get", "PLAIN_SETTING")).toBe("plain");
    await expect(prefix("env.get", "PLAIN_API_KEY")).rejects.toMatchObject(refused);
    await expect(prefix("env.get", "PATH")).rejects.toMatchObject(refused);
  });
});

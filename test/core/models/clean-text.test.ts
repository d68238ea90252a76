import { describe, expect, it } from "vitest";
import { createClean } from "../../../core/models/clean-text.ts";

describe("createClean()", () => {
  it("takes out each key of a list of them", () => {
    const clean = createClean({ MINE_API_KEY: "first-of-the-keys, second-of-the-keys" });
    expect(clean("one is second-of-the-keys, the other first-of-the-keys")).toBe("one is [redacted], the other [redacted]");
  });

  const clean = createClean({ DEPLOY_TOKEN: "correct-horse-battery", SHORT_TOKEN: "abc", HOME: "/home/somebody-here" }, [
    "a-key-of-the-config",
    undefined,
    "x",
  ]);

  it("takes out values of secret variables, and others that it is given", () => {
    expect(clean("t=correct-horse-battery k=a-key-of-the-config")).toBe("t=[redacted] k=[redacted]");
  });

  it("leaves what is no secret, and what is too short to be told from words", () => {
    expect(clean("/home/somebody-here abc x")).toBe("/home/somebody-here abc x");
  });

  it.each([
    "sk-ant-api03-abcdefghijklmnop",
    "sk-proj-abcdefghij_klmnopqrst",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "github_pat_11AAAAAAA0abcdefghijklmnop",
    "AIzaSyA-abcdefghijklmnopqrstuvwxyz01234",
    "xoxb-123456789012-abcdef",
    "AKIAIOSFODNN7EXAMPLE",
    "gsk_abcdefghijklmnopqrstuvwx",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijk",
  ])("knows the shape of %s", (key) => {
    expect(clean(`before ${key} after`)).toBe("before [redacted] after");
  });

  it("takes out what follows a name of secrets, and passwords in addresses", () => {
    expect(clean("Authorization: Bearer abcdefghijklmnop0123")).toBe("Authorization: Bearer [redacted]");
    expect(clean('"api_key": "abcdefgh12345"')).toBe('"api_key": "[redacted]"');
    expect(clean("postgres://me:pa55word@host/db")).toBe("postgres://me:[redacted]@host/db");
    expect(clean("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----")).toBe("[redacted]");
  });

  it.each([
    ["blanks", " ".repeat(1_000_000)],
    ["beginnings of a token", "eyJaaaaaaaa-".repeat(50_000)],
    ["addresses", "a://b:".repeat(150_000)],
    ["beginnings of a key", "-----BEGIN PRIVATE KEY-----\n".repeat(20_000)],
    ["bearers", "bearer ".repeat(100_000)],
  ])("gets through a long text of %s", (_, text) => {
    const begun = performance.now();
    clean(text);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it("gives the same for what is clean already", () => {
    const once = clean("k=a-key-of-the-config Bearer abcdefghijklmnop0123");
    expect(clean(once)).toBe(once);
  });
});

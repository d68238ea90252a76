import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isFreeOfSecrets } from "../../../core/permission/searched-folder.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-searched-")));
afterAll(() => rmSync(root, { recursive: true }));

function folder(name: string, files: readonly string[]): string {
  for (const file of files) {
    mkdirSync(join(root, name, file, ".."), { recursive: true });
    writeFileSync(join(root, name, file), "x\n");
  }
  return join(root, name);
}

describe("isFreeOfSecrets()", () => {
  it("looks at all files below a folder", async () => {
    expect(await isFreeOfSecrets(folder("plain", ["a.txt", "b/c/d.ts"]))).toBe(true);
    expect(await isFreeOfSecrets(folder("deep", ["a.txt", "b/c/.env"]))).toBe(false);
    expect(await isFreeOfSecrets(folder("keys", ["certs/server.pem"]))).toBe(false);
    expect(await isFreeOfSecrets(folder("home", [".aws/anything"]))).toBe(false);
  });

  it("leaves out what git keeps and what links lead to", async () => {
    const path = folder("linked", ["a.txt", ".git/x.pem"]);
    symlinkSync(join(root, "keys"), join(path, "there"));
    expect(await isFreeOfSecrets(path)).toBe(true);
  });

  it("takes a file for itself", async () => {
    expect(await isFreeOfSecrets(join(folder("file", ["a.txt"]), "a.txt"))).toBe(true);
  });

  it("does not vouch for what is not there, or too much", async () => {
    expect(await isFreeOfSecrets(join(root, "missing"))).toBe(false);
    expect(
      await isFreeOfSecrets(
        folder(
          "many",
          Array.from({ length: 4_001 }, (_, at) => `${at}.txt`),
        ),
      ),
    ).toBe(false);
  });
});

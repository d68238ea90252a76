import { execFileSync } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLineWindow } from "../../../../core/capabilities/fs/line-window.ts";
import { readWindow } from "../../../../core/capabilities/fs/read-window.ts";

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const defaults = { offset: 1, limit: 2_000, maxLineChars: 500 };
async function windowOf(content: string | Buffer, options: Partial<typeof defaults> = {}) {
  const path = join(folder, "file");
  await writeFile(path, content);
  return readWindow(path, { ...defaults, ...options });
}

describe("readWindow()", () => {
  it("counts lines, whether or not the last one ends", async () => {
    expect(await windowOf("")).toEqual({ lines: [], totalLines: 0, bytes: 0, encoding: "utf-8", invalid: false });
    expect(await windowOf("a")).toMatchObject({ lines: ["a"], totalLines: 1 });
    expect(await windowOf("a\n")).toMatchObject({ lines: ["a"], totalLines: 1 });
    expect(await windowOf("a\n\nb")).toMatchObject({ lines: ["a", "", "b"], totalLines: 3 });
    expect(await windowOf("\n\n")).toMatchObject({ lines: ["", ""], totalLines: 2 });
  });

  it("gives the window alone", async () => {
    const content = `${Array.from({ length: 100 }, (_, index) => index + 1).join("\n")}\n`;
    expect(await windowOf(content, { offset: 10, limit: 3 })).toMatchObject({ lines: ["10", "11", "12"], totalLines: 100 });
    expect(await windowOf(content, { offset: 99, limit: 5 })).toMatchObject({ lines: ["99", "100"], totalLines: 100 });
    expect(await windowOf(content, { offset: 101 })).toMatchObject({ lines: [], totalLines: 100 });
  });

  it("takes CRLF for a line end, and leaves other carriage returns", async () => {
    expect((await windowOf("a\r\nb\rc\r\n\r\nd\r")).lines).toEqual(["a", "b\rc", "", "d"]);
  });

  it("takes a BOM off and says so", async () => {
    expect(await windowOf("\ufeffa\nb")).toMatchObject({ lines: ["a", "b"], encoding: "utf-8-bom" });
    expect(await windowOf("\ufeff")).toMatchObject({ lines: [], totalLines: 0, encoding: "utf-8-bom" });
  });

  it("replaces what is no UTF-8 and says so", async () => {
    expect(await windowOf(Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xc3]))).toMatchObject({ lines: ["a\ufffdb", "\ufffd"], invalid: true });
    expect(await windowOf(Buffer.from([0xff, 0x0a, 0x61]), { offset: 2 })).toMatchObject({ lines: ["a"], invalid: false });
  });

  it("does not show binary files", async () => {
    expect(await windowOf(Buffer.from("text\0more"))).toMatchObject({ lines: [], encoding: "binary", bytes: 9 });
    expect(await windowOf(Buffer.from("text\n", "utf16le"))).toMatchObject({ encoding: "binary" });
  });

  it("cuts long lines at a character border", async () => {
    expect((await windowOf(`${"a".repeat(600)}\nb`, { maxLineChars: 500 })).lines).toEqual(["a".repeat(500), "b"]);
    expect((await windowOf(`${"a".repeat(499)}😀b\nb`, { maxLineChars: 500 })).lines).toEqual(["a".repeat(499), "b"]);
    expect(await windowOf("ä€😀".repeat(10_000), { maxLineChars: 7 })).toMatchObject({ lines: ["ä€😀ä€"], invalid: false });
  });

  it("reads a file with one line of 100 MB within a little memory", async () => {
    const path = join(folder, "large");
    execFileSync("bash", ["-c", `{ head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last; } > ${path}`]);
    const before = process.memoryUsage().rss;
    expect(await readWindow(path, defaults)).toMatchObject({ lines: ["x".repeat(500), "last"], totalLines: 2, bytes: 100_000_006 });
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000);
  });

  it("refuses a window that is too long", async () => {
    await expect(windowOf(`${"x".repeat(900_000)}\n`.repeat(20), { maxLineChars: 1_000_000 })).rejects.toMatchObject({ code: "file_failed" });
  });
});

describe("createLineWindow()", () => {
  it("gives the same however the bytes come", () => {
    const text = fc.array(fc.constantFrom("a", "é", "€", "😀", "\n", "\r\n", "\r"), { maxLength: 60 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        text,
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (content, sizes, offset, maxLineChars) => {
          const bytes = Buffer.from(content);
          const pieces = createLineWindow({ offset, limit: 3, maxLineChars });
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = sizes[turn % sizes.length]!;
            pieces.push(bytes.subarray(at, at + size));
            at += size;
          }
          const all = content.endsWith("\n") ? content.slice(0, -1).split("\n") : content.split("\n");
          const lines = content === "" ? [] : all.map((line) => line.replace(/\r$/, ""));
          const expected = lines.slice(offset - 1, offset + 2).map((line) => {
            const cut = line.slice(0, maxLineChars);
            return cut.isWellFormed() ? cut : cut.slice(0, -1);
          });
          expect(pieces.end()).toEqual({ lines: expected, totalLines: lines.length, invalid: false });
        },
      ),
    );
  });
});

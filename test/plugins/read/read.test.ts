import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
});
afterAll(() => host.close());

const write = (name: string, content: string | Buffer) => writeFile(join(host.folder, name), content);
const read = (input: Record<string, unknown>, request = {}) => host.call("read", input, request);

/** Where two long texts differ first; they are too long to be shown. */
function differs(a: string, b: string): { at: number; found: string; wanted: string } | undefined {
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at++;
  return { at, found: a.slice(at, at + 40), wanted: b.slice(at, at + 40) };
}

describe("read", () => {
  it("numbers the lines of a file", async () => {
    await write("a.txt", "one\r\n\r\nthree");
    expect(await read({ path: "a.txt" })).toMatchObject({ isError: false, ran: true, text: "1: one\n2: \n3: three" });
    expect((await read({ file_path: join(host.folder, "a.txt") })).text).toBe("1: one\n2: \n3: three");
  });

  it("gives a window, and says how to go on", async () => {
    await write("long.txt", `${Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join("\n")}\n`);
    expect((await read({ path: "long.txt", offset: 4_998 })).text).toBe(
      "4998: line 4998\n4999: line 4999\n5000: line 5000\n\n[lines 4998-5000 of 5000, the last one included]",
    );
    expect((await read({ path: "long.txt", offset: 2, limit: 1 })).text).toBe("2: line 2\n\n[lines 2-2 of 5000; go on with offset 3]");
    const first = await read({ path: "long.txt" });
    expect(first.text.split("\n").slice(-3)).toEqual(["1998: line 1998", "", "[lines 1-1998 of 5000; go on with offset 1999]"]);
    expect(first.spill).toBeNull();
    expect(await read({ path: "long.txt", offset: 5_001 })).toMatchObject({
      isError: true,
      text: "long.txt has 5000 lines, so line 5001 is past its end.",
    });
  });

  it("gives no more than is shown, whole lines, and code the rest too", async () => {
    await write("wide.txt", `${"x".repeat(400)}\n`.repeat(1_000));
    const compact = await read({ path: "wide.txt" });
    expect(compact.spill).toBeNull();
    expect(compact.text).toMatch(/\n\[lines 1-12\d of 1000; go on with offset 12\d\]$/);
    expect((await read({ path: "wide.txt" }, { outputMode: "full" })).text.split("\n")).toHaveLength(1_000);
  });

  it("reads a long line piece by piece, with all of it", async () => {
    const line = Array.from({ length: 12_000 }, (_, index) => `word${index}€😀`).join(" ");
    await write("one.txt", `first\n${line}\r\nlast\n`);
    expect((await read({ path: "one.txt", offset: 2, limit: 1 })).text).toMatch(
      /\.\.\.\n\n\[line 2 is longer; go on in it with column \d+; lines 2-2 of 3/,
    );
    const pieces: string[] = [];
    for (let column = 1; column > 0 && pieces.length < 20; ) {
      const { text, isError, spill } = await read({ path: "one.txt", offset: 2, column });
      expect({ isError, spill }).toEqual({ isError: false, spill: null });
      const [, piece = "", from, next] =
        /^2: (?:\.\.\.)?(.*?)(?:\.\.\.)?\n\n\[line 2 from column (\d+)(?:; go on with column (\d+)| to its end)\]$/s.exec(text) ?? [];
      expect(Number(from)).toBe(column);
      pieces.push(piece);
      column = Number(next ?? 0);
    }
    expect(pieces.length).toBeGreaterThan(5);
    expect(differs(pieces.join(""), line)).toBeUndefined();
    expect(await read({ path: "one.txt", offset: 2, column: 1_000_000 })).toMatchObject({
      isError: true,
      text: "Line 2 of one.txt ends before column 1000000.",
    });
    expect((await read({ path: "one.txt", offset: 9, column: 5 })).text).toBe("one.txt has 3 lines, so line 9 is past its end.");
  });

  it("begins a part of a line with the whole of a word, and no half of a character", async () => {
    await write("key.txt", `${"x ".repeat(400)}sk-0123456789abcdef 😀 end`);
    const key = 801;
    expect((await read({ path: "key.txt", column: key + 10 })).text).toBe("1: ...sk-0123456789abcdef 😀 end\n\n[line 1 from column 801 to its end]");
    expect((await read({ path: "key.txt", column: key + 21 })).text).toBe("1: ...😀 end\n\n[line 1 from column 821 to its end]");
  });

  it("tells that a line goes on with a character of two units", async () => {
    await write("pair.txt", `${"x ".repeat(250)}😀\nlast`);
    expect((await read({ path: "pair.txt" })).text).toBe(`1: ${"x ".repeat(250)}...\n2: last`);
  });

  it("cuts long lines at a character border", async () => {
    await write("wide.txt", `${"x".repeat(499)}😀y\n${"y".repeat(500)}`);
    expect((await read({ path: "wide.txt" })).text).toBe(`1: ${"x".repeat(499)}...\n2: ${"y".repeat(500)}`);
  });

  it("says what a path is that is no text file", async () => {
    await mkdir(join(host.folder, "folder"));
    await write("image", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
    await write("empty", "");
    await write("settings.json", "{}");
    await symlink("nowhere", join(host.folder, "dangling"));
    execFileSync("mkfifo", [join(host.folder, "pipe")]);
    expect(await read({ path: "folder" })).toMatchObject({ isError: true, text: "folder is a folder, not a file. `list` shows what is in it." });
    expect(await read({ path: "image" })).toMatchObject({ isError: true, text: "image is a binary file of 6 bytes." });
    expect(await read({ path: "pipe" })).toMatchObject({ isError: true, text: "pipe is no regular file." });
    expect(await read({ path: "empty" })).toMatchObject({ isError: false, text: "[empty is empty]" });
    expect(await read({ path: "dangling" })).toMatchObject({ isError: true, text: "dangling is a link to nothing." });
    expect(await read({ path: "./seting.json" })).toMatchObject({
      isError: true,
      text: "There is no file ./seting.json. Close to it: ./settings.json.",
    });
    expect(await read({ path: "none/x" })).toMatchObject({ isError: true, text: "There is no file none/x." });
  });

  it("shows what is no UTF-8, and says so", async () => {
    await write("latin1", Buffer.from("gr\u00fcn\n", "latin1"));
    expect((await read({ path: "latin1" })).text).toBe("1: gr\ufffdn\n\n[bytes that are no UTF-8 are shown as \ufffd]");
    await write("bom", "\ufeffa");
    expect((await read({ path: "bom" })).text).toBe("1: a");
  });

  it("shows control characters as pictures, and loses none of a line to them", async () => {
    await write("controls", "a\rb\t\u001b[31mred\u001b[0m\u007f\u009bm\n\fpage\r\n");
    expect((await read({ path: "controls" })).text).toBe(
      "1: a\u240db\t\u241b[31mred\u241b[0m\u2421\\x9bm\n2: \u240cpage\n\n[control characters are shown as pictures, as \u241b for escape]",
    );
  });

  it("gives images as images, by how they begin", async () => {
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(50_000, 1), Buffer.alloc(9)]);
    await write("picture.txt", png);
    expect(await read({ path: "picture.txt" })).toMatchObject({
      isError: false,
      text: `[picture.txt is a PNG image of ${png.length} bytes]`,
      images: [{ mediaType: "image/png", base64: png.toString("base64") }],
    });
    for (const [head, mediaType] of [
      ["\xff\xd8\xff\xe0\0\x10JFIF\0", "image/jpeg"],
      ["GIF89a\x01\0\x01\0", "image/gif"],
      ["RIFF\x10\0\0\0WEBPVP8 ", "image/webp"],
    ] as const) {
      await write("image", Buffer.from(head, "latin1"));
      expect((await read({ path: "image" })).images).toEqual([{ mediaType, base64: Buffer.from(head, "latin1").toString("base64") }]);
    }
  });

  it("refuses an image that no model takes", async () => {
    await write("large.png", Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(3_750_000)]));
    expect(await read({ path: "large.png" })).toMatchObject({
      isError: true,
      text: "large.png is a PNG image of 3750008 bytes, and at most 3750000 can be shown. Make a smaller copy and read that.",
    });
    await write("just.png", Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(3_749_992)]));
    expect((await read({ path: "just.png" })).images).toHaveLength(1);
  });

  it("names text in another encoding", async () => {
    await write("utf16", Buffer.from("\ufeffhello", "utf16le"));
    expect(await read({ path: "utf16" })).toMatchObject({ isError: true, text: expect.stringContaining("utf16 is UTF-16 text") });
  });

  it("quotes names that would break a sentence", async () => {
    await write("a\nb", "");
    expect((await read({ path: "a\nb" })).text).toBe('["a\\nb" is empty]');
    expect((await read({ path: "a\nc" })).text).toBe('There is no file "a\\nc". Close to it: "a\\nb".');
  });

  it("takes no input that makes no sense", async () => {
    for (const input of [{}, { path: "" }, { path: "a.txt", offset: 0 }, { path: "a.txt", limit: 0 }]) {
      expect(await read(input)).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    }
    expect(await read({ path: "a\0b" })).toMatchObject({ isError: true });
  });

  it("is asked about by the file it reads", async () => {
    const guarded = await testHost({ answer: "deny" });
    try {
      await writeFile(join(guarded.folder, "a.txt"), "a");
      await guarded.call("read", { path: "/etc/passwd" });
      expect(guarded.prompts.map(({ scopes }) => scopes)).toEqual([[expect.objectContaining({ kind: "path", text: "/etc/passwd", access: "read" })]]);
    } finally {
      await guarded.close();
    }
  });
});

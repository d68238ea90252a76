import { describe, expect, it } from "vitest";
import { createMatchBlocks } from "../../../../core/capabilities/search/match-blocks.ts";

type Told = { path: string; matches: number; lines: string; cut: boolean; binary: boolean };

function read(output: string, pieceBytes: number, { maxBytes = 1_000, unwanted = "" } = {}): Told[] {
  const told: Told[] = [];
  const blocks = createMatchBlocks({
    maxBytes,
    wants: (path) => path !== unwanted,
    onBlock: (block) => {
      const { path, matches, cut, binary } = block;
      told.push({ path, matches, lines: block.lines.text, cut, binary });
    },
  });
  const bytes = Buffer.from(output);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const chunk = Buffer.from(bytes.subarray(at, at + pieceBytes));
    blocks.push(chunk);
    // As the next piece is read into its place.
    chunk.fill("#");
  }
  blocks.end();
  return told;
}

const output = "./a\n2: x\u00001: foo\n2  ä 7: no\n--\n9: foo\n\n./b\u00003: foo\n./b: WARNING: stopped searching\n\n./c\u000012: last\n";
const blocks = [
  { path: "./a\n2: x", matches: 2, lines: "1: foo\n2  ä 7: no\n--\n9: foo\n", cut: false, binary: false },
  { path: "./b", matches: 1, lines: "3: foo\n", cut: false, binary: true },
  { path: "./c", matches: 1, lines: "12: last\n", cut: false, binary: false },
];

describe("createMatchBlocks()", () => {
  it("tells files, matching lines and remarks apart, wherever the output is cut in pieces", () => {
    for (const size of [1, 2, 3, 5, 7, 16, 1_000]) expect(read(output, size)).toEqual(blocks);
  });

  it("tells the longest line, line ends of two characters, and the bytes of a path that is no text", () => {
    const seen: unknown[] = [];
    const blocks = createMatchBlocks({
      maxBytes: 1_000,
      wants: () => true,
      onBlock: ({ longest, returns, path }, bytes) => seen.push({ longest, returns, path, bytes }),
    });
    blocks.push(Buffer.concat([Buffer.from("./a\u00001: foo\n12: longer\r\n\n./"), Buffer.from([0xff]), Buffer.from("\u00001: x\n")]));
    blocks.end();
    expect(seen).toEqual([
      { longest: 12, returns: true, path: "./a", bytes: "./a" },
      { longest: 5, returns: false, path: "./\ufffd", bytes: Buffer.from([0x2e, 0x2f, 0xff]) },
    ]);
  });

  it("passes over files that are not wanted", () => {
    for (const size of [1, 4, 1_000]) expect(read(output, size, { unwanted: "./b" })).toEqual([blocks[0], blocks[2]]);
  });

  it("keeps whole lines of a file that has too many, and counts the others", () => {
    for (const size of [1, 6, 1_000]) {
      expect(read("./a\u00001: foo\n2: foo\n3: foo\n\n./b\u00001: x\n", size, { maxBytes: 15 })).toEqual([
        { path: "./a", matches: 3, lines: "1: foo\n2: foo\n", cut: true, binary: false },
        { path: "./b", matches: 1, lines: "1: x\n", cut: false, binary: false },
      ]);
    }
  });

  it("keeps what came before an end in the middle", () => {
    expect(read("./a\u00001: foo\n2: fo", 1_000)).toEqual([{ path: "./a", matches: 1, lines: "1: foo\n", cut: false, binary: false }]);
    expect(read("./a", 1_000)).toEqual([]);
  });

  it("tells what is plain, what is ASCII and what is no UTF-8, of each file alone", () => {
    const seen: unknown[] = [];
    const blocks = createMatchBlocks({ maxBytes: 1_000, wants: () => true, onBlock: ({ path, lines }) => seen.push({ path, ...lines }) });
    const chunks = ["./a\u00001: \tfoo\n\n", "./b\u00001: \u001b[2J\n\n", "./c\u00001: x\u0000y\n\n", "./d\u00001: ä\n\n"].map((text) =>
      Buffer.from(text),
    );
    for (const chunk of [...chunks, Buffer.from("./e\u00001: \xff\n", "latin1")]) blocks.push(chunk);
    blocks.end();
    const ascii = { isAscii: true, isPlain: false, invalid: false };
    expect(seen).toEqual([
      { path: "./a", text: "1: \tfoo\n", bytes: 8, ...ascii, isPlain: true },
      { path: "./b", text: "1: \u001b[2J\n", bytes: 8, ...ascii },
      { path: "./c", text: "1: x\0y\n", bytes: 7, ...ascii },
      { path: "./d", text: "1: ä\n", bytes: 6, ...ascii, isAscii: false },
      { path: "./e", text: "1: \ufffd\n", bytes: 5, ...ascii, isAscii: false, invalid: true },
    ]);
  });
});

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
      const lines = block.lines.pieces.map(({ data, from, to }) => data.toString("latin1", from, to)).join("");
      told.push({ path, matches, lines: Buffer.from(lines, "latin1").toString(), cut, binary });
    },
  });
  const bytes = Buffer.from(output);
  for (let at = 0; at < bytes.length; at += pieceBytes) blocks.push(Buffer.from(bytes.subarray(at, at + pieceBytes)));
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
});

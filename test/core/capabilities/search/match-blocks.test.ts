import { describe, expect, it } from "vitest";
import { createMatchBlocks } from "../../../../core/capabilities/search/match-blocks.ts";

type Told = { path: string; matches: number; lines: string; cut: boolean; binary: boolean };

function read(output: string, pieceBytes: number, { maxBytes = 1_000, unwanted = "" } = {}): Told[] {
  const told: Told[] = [];
  const blocks = createMatchBlocks({
    maxBytes,
    wants: (path) => path.toString() !== unwanted,
    onBlock: ({ path, lines, ...rest }) => told.push({ ...rest, path: path.toString(), lines: lines.toString() }),
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

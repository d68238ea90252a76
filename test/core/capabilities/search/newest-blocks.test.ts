import { describe, expect, it } from "vitest";
import { createNewestBlocks } from "../../../../core/capabilities/search/newest-blocks.ts";

describe("createNewestBlocks()", () => {
  const block = (path: string, matches: number, bytes: number) => ({
    path,
    matches,
    lines: { text: "x".repeat(bytes), bytes, isAscii: true, isPlain: true, invalid: false },
    cut: false,
    binary: false,
    longest: bytes,
    returns: false,
  });
  const paths = (blocks: { path: string }[]) => blocks.map(({ path }) => path);

  it("keeps the newest, counts all, and lets the others go before the end", () => {
    const held: number[] = [];
    const blocks = createNewestBlocks({ limit: 3, maxBytes: 1_000 });
    for (let i = 1; i <= 5_000; i++) {
      const time = (i * 7) % 5_003;
      blocks.add(block(String(time), 2, 10), time);
      if (i % 500 === 0) held.push(blocks.end().length);
    }
    expect(paths(blocks.end())).toEqual(["5002", "5001"]);
    expect([blocks.files(), blocks.matches()]).toEqual([5_000, 10_000]);
    expect(Math.max(...held)).toBe(2);
  });

  it("takes no more than fills the bytes", () => {
    const blocks = createNewestBlocks({ limit: 1_000, maxBytes: 25 });
    for (const name of ["1", "4", "2", "3"]) blocks.add(block(name, 1, 10), Number(name));
    expect(paths(blocks.end())).toEqual(["4", "3", "2"]);
  });

  it("orders files of one time by their names", () => {
    const blocks = createNewestBlocks({ limit: 10, maxBytes: 100 });
    for (const name of ["b", "c", "a"]) blocks.add(block(name, 1, 1), 1);
    expect(paths(blocks.end())).toEqual(["a", "b", "c"]);
  });
});

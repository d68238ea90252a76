import { describe, expect, it } from "vitest";
import { createNewestBlocks } from "../../../../core/capabilities/search/newest-blocks.ts";

describe("createNewestBlocks()", () => {
  const block = (name: string, matches: number, bytes: number) => ({
    path: Buffer.from(name),
    matches,
    lines: Buffer.alloc(bytes, "x"),
    cut: false,
    binary: false,
  });

  it("keeps the newest, counts all, and lets the others go before the end", async () => {
    const held: number[] = [];
    const blocks = createNewestBlocks({ limit: 3, maxBytes: 1_000, timeOf: async (path) => Number(path.toString()) });
    for (let i = 1; i <= 5_000; i++) {
      blocks.add(block(String((i * 7) % 5_003), 2, 10));
      if (i % 500 === 0) held.push((await blocks.end()).length);
    }
    expect((await blocks.end()).map(({ path }) => path.toString())).toEqual(["5002", "5001"]);
    expect([blocks.files(), blocks.matches()]).toEqual([5_000, 10_000]);
    expect(Math.max(...held)).toBe(2);
  });

  it("takes no more than fills the bytes", async () => {
    const blocks = createNewestBlocks({ limit: 1_000, maxBytes: 25, timeOf: async (path) => Number(path.toString()) });
    for (const name of ["1", "4", "2", "3"]) blocks.add(block(name, 1, 10));
    expect((await blocks.end()).map(({ path }) => path.toString())).toEqual(["4", "3", "2"]);
  });

  it("orders files of one time by their names", async () => {
    const blocks = createNewestBlocks({ limit: 10, maxBytes: 100, timeOf: async () => 1 });
    for (const name of ["b", "c", "a"]) blocks.add(block(name, 1, 1));
    expect((await blocks.end()).map(({ path }) => path.toString())).toEqual(["a", "b", "c"]);
  });
});

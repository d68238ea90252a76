import { describe, expect, it } from "vitest";
import type { FileList } from "../../../../core/completion/files/file-list.ts";
import { findPaths } from "../../../../core/completion/files/find-paths.ts";
import { letters } from "../../../../core/completion/files/fuzzy.ts";

function listOf(paths: readonly string[]): FileList {
  const lower = paths.map((path) => path.toLowerCase());
  return { paths, lower, letters: lower.map(letters), isWhole: true };
}

const { signal } = new AbortController();

describe("findPaths()", () => {
  it.each([
    ["host", ["host/", "core/host.ts", "core/host-types.ts", "core/ghost.ts", "a-host-b/x.ts", "core/hidden-of-some-test.ts"]],
    ["Host-T", ["core/host-types.ts", "a-host-b/x.ts"]],
    ["core/h", ["core/host.ts", "core/host-types.ts", "core/hidden-of-some-test.ts", "core/ghost.ts"]],
    ["zq", []],
    ["core/", ["core/ghost.ts", "core/hidden-of-some-test.ts", "core/host-types.ts", "core/host.ts"]],
  ])("puts what fits %j best first", async (query, expected) => {
    const list = listOf(["core/hidden-of-some-test.ts", "a-host-b/x.ts", "core/ghost.ts", "core/host-types.ts", "core/host.ts", "host/"]);
    expect(await findPaths(list, query, 10, signal)).toEqual(expected);
  });

  it("lets other work through among many paths, and ends where it is told", async () => {
    const list = listOf(Array.from({ length: 300_000 }, (_, i) => `packages/pkg-${i % 90}/src/some-component-${i}.test.ts`));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    expect(await findPaths(list, "component-299999", 5, signal)).toEqual([`packages/pkg-${299_999 % 90}/src/some-component-299999.test.ts`]);
    expect(turns).toBeGreaterThan(0);
    isOver = true;
    let reads = 0;
    const counted = new Proxy(list.letters as number[], {
      get(target, key) {
        reads++;
        return Reflect.get(target, key);
      },
    });
    const stop = new AbortController();
    const cut = findPaths({ ...list, letters: counted }, "psc", 5, stop.signal);
    stop.abort();
    await cut;
    expect(reads).toBeLessThan(300_000);
  });
});

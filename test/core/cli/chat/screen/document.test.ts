import { describe, expect, it } from "vitest";
import { type Block, createDocument } from "../../../../../core/cli/chat/screen/document.ts";

const block = (id: number, lines: readonly string[], live = false): Block => ({ id, live, lines });
const many = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);
const size = { width: 80, rows: 10 };

function documentWith(): { draw(blocks: Block[], below?: string[], at?: typeof size): string[]; redraws(): number; begin(id: number | null): void } {
  let redraws = 0;
  const document = createDocument(() => redraws++);
  return {
    draw: (blocks, below = ["prompt"], at = size) => document.lines(blocks, below, at),
    redraws: () => redraws,
    begin: document.begin,
  };
}

describe("createDocument()", () => {
  it("shows all blocks, then what stands below", () => {
    const { draw } = documentWith();
    expect(draw([block(1, ["a"]), block(2, ["b", "c"])])).toEqual(["a", "b", "c", "prompt"]);
  });

  it("takes changes of what is on the screen as they come", () => {
    const { draw, redraws } = documentWith();
    draw([block(1, ["a"], true)]);
    expect(draw([block(1, ["a", "b"], true), block(2, ["c"])])).toEqual(["a", "b", "c", "prompt"]);
    expect(draw([block(2, ["c"])])).toEqual(["c", "prompt"]);
    expect(redraws()).toBe(0);
  });

  it("leaves what scrolled away as it was while it goes on", () => {
    const { draw, redraws } = documentWith();
    draw([block(1, many("a", 20), true)]);
    const drawn = draw([block(1, ["other", ...many("a", 20).slice(1), "more"], true)]);
    expect(drawn[0]).toBe("a0");
    expect(drawn.slice(-2)).toEqual(["more", "prompt"]);
    expect(redraws()).toBe(0);
  });

  it("draws the last screenful anew once what scrolled away is over and looks otherwise", () => {
    const { draw, redraws } = documentWith();
    const before = [block(1, many("a", 5)), block(2, many("b", 20), true)];
    draw(before);
    const after = [block(1, many("a", 5)), block(2, ["short"]), block(3, many("c", 12))];
    draw(after);
    expect(redraws()).toBe(1);
    expect(draw(after)).toEqual([...many("c", 12), "prompt"]);
  });

  it("draws anew where what was seen is gone", () => {
    const { draw, redraws } = documentWith();
    draw([block(1, many("a", 20), true), block(2, ["b"])]);
    draw([block(2, ["b"])]);
    expect(redraws()).toBe(1);
    expect(draw([block(2, ["b"])])).toEqual(["b", "prompt"]);
  });

  it("loses nothing that goes on on a terminal without room for it", () => {
    const { draw } = documentWith();
    const blocks = [block(1, ["a"]), block(2, ["b"]), block(3, ["c"], true)];
    draw(blocks);
    draw(blocks, ["working", "prompt", "status"], { width: 10, rows: 3 });
    const more = [block(1, ["a"]), block(2, ["b"]), block(3, ["c", "d"])];
    expect(draw(more, ["working", "prompt", "status"], { width: 10, rows: 3 })).toContain("d");
    expect(draw(more, ["prompt"], size)).toEqual(["a", "b", "c", "d", "prompt"]);
  });

  it("brings nothing back that the screen was emptied of", () => {
    const { draw, begin } = documentWith();
    const blocks = [block(1, ["a"]), block(2, ["b"])];
    draw(blocks);
    begin(null);
    draw(blocks, ["prompt"], { width: 10, rows: 3 });
    expect(draw([...blocks, block(3, ["c"])], ["prompt"], size)).toEqual(["c", "prompt"]);
  });

  it("draws the last screenful where the terminal has another size", () => {
    const { draw } = documentWith();
    const blocks = [block(1, many("a", 30)), block(2, many("b", 4)), block(3, many("c", 4))];
    draw(blocks);
    expect(draw(blocks, ["prompt"], { width: 40, rows: 6 })).toEqual([...many("b", 4), ...many("c", 4), "prompt"]);
  });

  it("draws anew where little is left on the screen", () => {
    const { draw, redraws } = documentWith();
    draw([block(1, many("a", 30))], many("panel", 9));
    draw([block(1, many("a", 30))]);
    expect(redraws()).toBe(1);
  });

  it("begins with the block that is named, or after all", () => {
    const { draw, begin } = documentWith();
    const blocks = [block(1, ["a"]), block(2, ["b"]), block(3, ["c"])];
    draw(blocks);
    begin(2);
    expect(draw(blocks)).toEqual(["b", "c", "prompt"]);
    begin(null);
    expect(draw([...blocks, block(4, ["d"])])).toEqual(["d", "prompt"]);
  });
});

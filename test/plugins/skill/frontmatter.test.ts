import { describe, expect, it } from "vitest";
import { readFrontmatter } from "../../../plugins/skill/frontmatter.ts";

const read = (text: string) => readFrontmatter(text.split("\n"));

describe("readFrontmatter()", () => {
  it.each([
    ["---\nname: a\ndescription: Does it.\n---\nbody", "Does it."],
    ["---\nname: a # short\ndescription: Does it. # always\n---", "Does it."],
    ["---\nname: 'a'\ndescription: 'It''s: done'\n---", "It's: done"],
    ['---\nname: "a"\ndescription: "Tabs\\tand \\"quotes\\" \\u0041"\n---', 'Tabs and "quotes" A'],
    ["---\nname: a\ndescription: >-\n  folded\n  over lines\n---", "folded over lines"],
    ["---\nname: a\ndescription: |\n    block\n      deeper\n---", "block deeper"],
    ["---\nname: a\ndescription: goes on\n  below\n---", "goes on below"],
    [
      "---\n# a comment\n\nname: a\nlicense: MIT\nallowed-tools:\n- Read\n- Bash(git:*)\nmetadata:\n  version: 1\n  tags: [x, y]\ndescription: d\n---",
      "d",
    ],
    ["---\nname: a\ndescription: see https://x.example/y#z\n---", "see https://x.example/y#z"],
    ["---  \nname: a\ndescription: d\n---  ", "d"],
  ])("reads %j", (text, description) => {
    expect(read(text)).toMatchObject({ name: "a", description });
  });

  it("says where the text begins", () => {
    expect(read("---\nname: a\ndescription: d\n---\nbody")).toEqual({ name: "a", description: "d", bodyLine: 4 });
  });

  it.each([
    ["", "line 1"],
    ["# A skill", "line 1"],
    ["---\nname: a\ndescription: d", "--- that ends"],
    [`---\n${"x: y\n".repeat(200)}---`, "--- that ends"],
    ["---\ndescription: d\n---", "no name"],
    ["---\nname: a\n---", "no description"],
    ["---\nname: a\ndescription:\n---", "no description"],
    ["---\nname: ../a\ndescription: d\n---", 'its name is "../a"'],
    ["---\nname: a b\ndescription: d\n---", "its name is"],
    [`---\nname: ${"a".repeat(65)}\ndescription: d\n---`, "its name is"],
    [`---\nname: a\ndescription: ${"d".repeat(1_025)}\n---`, "longer than 1024"],
    ["---\nname: a\nname: b\ndescription: d\n---", "line 3: name is there twice"],
    ["---\nname: a\ndescription: Use when: never\n---", "line 3: description has a colon"],
    ["---\nname: a\ndescription: [d]\n---", "line 3: description is no plain text"],
    ["---\nname: &x a\ndescription: d\n---", "line 2: name is no plain text"],
    ["---\nname: a\ndescription: !!js/function x\n---", "line 3"],
    ["---\nname: a\ndescription:\n  nested: d\n---", "line 3: description is no text"],
    ['---\nname: a\ndescription: "no end\n---', "line 3: its quotes do not end"],
    ['---\nname: a\ndescription: "\\x41"\n---', "line 3: an escape"],
    ["---\nname: a\n\tdescription: d\n---", "line 3: it is indented by a tab"],
    ["---\n  name: a\ndescription: d\n---", "line 2: it is indented"],
    ["---\nname: a\nsomething\ndescription: d\n---", "line 3: it is no"],
    ["---\n{ name: a }\n---", "line 2: it is no"],
    ["---\n__proto__: a\ndescription: d\n---", "no name"],
  ])("calls %j broken", (text, why) => {
    expect(read(text)).toEqual({ broken: expect.stringContaining(why) });
  });

  it("takes characters that hide or turn text around for blanks", () => {
    expect(read('---\nname: a\ndescription: "x\\u202ey\u200bz\\u001b[2J"\n---')).toMatchObject({ description: "x y z [2J" });
  });
});

import { describe, expect, it } from "vitest";
import { follow } from "../../../../../core/syntax/server/understand.ts";

const writesUnknown = (source: string, plainNames = true) =>
  follow(source, { cwd: "/p", env: {}, plainNames }).commands.some(({ files }) =>
    files.some(({ access, paths }) => access === "write" && paths === undefined),
  );

describe("settleGlobs()", () => {
  it.each(["sort *.txt", "rg x *.md && ls", "sort *.txt | head 2>&1", "for i in 1 2; do sort *; done", "sort ?.txt && touch -- -o"])(
    "takes a glob in %j for no option",
    (source) => expect(writesUnknown(source)).toBe(false),
  );

  it("takes it for one where a name may begin with a dash", () => {
    expect(writesUnknown("sort *.txt", false)).toBe(true);
  });

  it.each([
    "touch -- -ox; sort *",
    "echo x > -ox; sort *",
    "sort * | tee -- -ox",
    "touch -- -ox & sort *",
    "for i in 1 2; do sort *; touch -- -ox; done",
    "f() { sort *; }; f; touch -- -ox; f",
    "cd sub && sort *",
    "sort $x*",
    "sort [-]o*",
    "sort {-o,}*",
  ])("takes it for one in %j", (source) => expect(writesUnknown(source)).toBe(true));
});

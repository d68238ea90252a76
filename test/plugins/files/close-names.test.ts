import { describe, expect, it } from "vitest";
import { closeNames } from "../../../plugins/files/close-names.ts";

describe("closeNames()", () => {
  it("finds what was probably meant", () => {
    const names = ["README.md", "index.ts", "index.test.ts", "package.json", "main.ts", "util"];
    expect(closeNames("readme.md", names)).toEqual(["README.md"]);
    expect(closeNames("index.js", names)).toEqual(["index.ts"]);
    expect(closeNames("packge.json", names)).toEqual(["package.json"]);
    expect(closeNames("mian.ts", names)).toEqual([]);
    expect(closeNames("indxe.ts", ["index.ts"])).toEqual([]);
    expect(closeNames("utils", names)).toEqual(["util"]);
    expect(closeNames("x.ts", ["y.ts"])).toEqual([]);
    expect(closeNames("", names)).toEqual([]);
  });
});

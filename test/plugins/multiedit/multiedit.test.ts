import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
});
afterAll(() => host.close());

const write = (name: string, content: string) => writeFile(join(host.folder, name), content);
const text = (name: string) => readFile(join(host.folder, name), "utf8");
const multiedit = (path: string, edits: unknown) => host.call("multiedit", { path, edits });
const edit = (old_string: string, new_string: string, more = {}) => ({ old_string, new_string, ...more });

describe("multiedit", () => {
  it("makes edits in order, each in what the ones before left", async () => {
    await write("a.ts", "one\ntwo\nthree\ntwo\n");
    const record = await multiedit("a.ts", [edit("one", "two"), edit("two", "2", { replace_all: true }), edit("  three", "3")]);
    expect(record).toMatchObject({ isError: false, data: { edits: 3, places: 5 } });
    expect(record.text).toBe(
      [
        "Edited a.ts: 3 edits, 5 places.",
        "edits[2]: old_string was found once the indentation was passed over; new_string was indented alike.",
        "@@ -1,4 +1,4 @@\n-one\n-two\n-three\n-two\n+2\n+2\n+3\n+2",
      ].join("\n"),
    );
    expect(await text("a.ts")).toBe("2\n2\n3\n2\n");
  });

  it("makes none where one fails, and names it", async () => {
    await write("b.ts", "one\ntwo\n");
    const record = await multiedit("b.ts", [edit("one", "1"), edit("two", "2"), edit("three", "3")]);
    expect(record).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^b\.ts: edits\[2\]: old_string is not in the file\..*Nothing was changed\.$/),
    });
    expect(await text("b.ts")).toBe("one\ntwo\n");
    expect((await multiedit("b.ts", [edit("one", "1"), edit("1", "one")])).text).toBe("b.ts: the edits undo each other. Nothing was changed.");
  });

  it("takes one edit for a list of one, and JSON text for a list", async () => {
    await write("c.ts", "one\n");
    expect((await multiedit("c.ts", edit("one", "1"))).isError).toBe(false);
    expect((await multiedit("c.ts", JSON.stringify([edit("1", "one")]))).text).toContain("1 edit, 1 place, exact matches.");
  });

  it("takes no input that makes no sense", async () => {
    await write("d.ts", "one\n");
    for (const edits of [undefined, [], "text", [{}], [edit("", "x")], [{ old_string: "a" }], Array(201).fill(edit("a", "b"))]) {
      expect(await multiedit("d.ts", edits)).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    }
    expect((await multiedit("d.ts", [edit("one", "x"), { old_string: "a" }])).text).toContain("edits[1].new_string: expected string, got nothing");
  });

  it("makes many edits of a long file", async () => {
    // On a busy machine a turn takes many times as long.
    await using patient = await testHost({ limits: { sliceMs: 60_000 } });
    const lines = Array.from({ length: 20_000 }, (_, i) => `const value_${i} = ${i};  // padded to some length`);
    await writeFile(join(patient.folder, "long.ts"), `${lines.join("\n")}\n`);
    const edits = Array.from({ length: 200 }, (_, i) =>
      edit(`  const value_${i * 100} = ${i * 100}; // padded to some length`, `const value_${i * 100} = 0;`),
    );
    const record = await patient.call("multiedit", { path: "long.ts", edits });
    expect(record).toMatchObject({ isError: false, data: { edits: 200, places: 200 } });
    expect(await readFile(join(patient.folder, "long.ts"), "utf8")).toBe(
      `${lines.map((line, i) => (i % 100 === 0 ? `const value_${i} = 0;` : line)).join("\n")}\n`,
    );
  }, 60_000);
});

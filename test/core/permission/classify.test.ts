import { afterAll, describe, expect, it } from "vitest";
import { classify } from "../../../core/permission/classify.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const syntax = createSyntax();
afterAll(() => syntax.close());

describe("classify()", () => {
  const rows: [command: string, readsOnly: boolean, ...does: string[]][] = [
    ["git log | head -5", true, "reads", "reads"],
    ["timeout 5 ls", true, "reads", "reads"],
    ["cd src && find . -name '*.ts' -exec grep -l x {} +", true, "reads", "reads", "reads"],
    ["for f in a b; do wc -l $f; done", true, "reads"],
    ["cat a > b", false, "writes"],
    ["sort -o b a", false, "writes"],
    ["find . -exec rm {} +", false, "reads", "writes"],
    ["rm -r a", false, "writes"],
    ["npm test", false, "runs"],
    ["bash -c ls", false, "runs", "reads"],
    ["curl https://h/x", false, "network"],
    ["nosuch a", false, "unknown"],
    ["ls $(pwd)", false, "reads", "reads"],
    ["PATH=. ls", false, "reads"],
    ["ls 'x", false, "reads"],
    ["", false],
  ];
  it.each(rows)("says of %j whether it only reads: %s", async (command, readsOnly, ...does) => {
    const found = await classify(command, "/p", syntax);
    expect(found.readsOnly).toBe(readsOnly);
    expect(found.commands.map((each) => each.does)).toEqual(does);
  });

  it("names what is written, and what is not resolved", async () => {
    const { commands, unresolved } = await classify("cp a $b; $c", "/p", syntax);
    expect(commands[0]?.writes).toEqual(["$b"]);
    expect(unresolved).toEqual([{ text: "$c", reason: "a program that is known only when it runs" }]);
  });
});

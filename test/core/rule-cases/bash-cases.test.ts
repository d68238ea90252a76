import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type BashCase, checkBashCases, type Field } from "../../../core/rule-cases/bash-cases.ts";

const one = async (command: string, expectations: BashCase["expect"], setup?: string) =>
  checkBashCases([{ id: "a", command, ...(setup === undefined ? {} : { setup }), expect: expectations }]);

describe("checkBashCases()", () => {
  const rows: [field: Field, command: string, holds: BashCase["expect"], misses: BashCase["expect"]][] = [
    ["segments", "ls; git log -1 >x", { segments: ["ls", "git log -1"] }, { segments: ["git log -1", "ls"] }],
    ["segments", "ls; ls -a", { segments: ["ls", "ls -a"] }, { segments: ["ls"] }],
    ["force_prompt", "echo $(ls)", { force_prompt: true }, {}],
    ["must_not_be_allowed_by", "ls; rm x", { must_not_be_allowed_by: ["ls *"] }, { must_not_be_allowed_by: ["ls *", "rm *"] }],
    ["must_be_denied_by", "ls; rm x", { must_be_denied_by: ["rm *"] }, { must_be_denied_by: ["mv *"] }],
    ["should_be_allowed_by", "ls; wc a.txt", { should_be_allowed_by: ["ls *", "wc *"] }, { should_be_allowed_by: ["ls *"] }],
    ["must_not_be_denied_by", "echo rm x", { must_not_be_denied_by: ["rm *"] }, { must_not_be_denied_by: ["echo *"] }],
  ];
  it.each(rows)("counts what holds of %s, and what does not (%s)", async (field, command, holds, misses) => {
    expect(await one(command, holds)).toMatchObject({ passed: 1, failed: 0, fields: { [field]: { held: 1, of: 1 } }, misses: [] });
    if (Object.keys(misses).length === 0) return;
    const tally = await one(command, misses);
    expect(tally).toMatchObject({ passed: 0, failed: 1, fields: { [field]: { held: 0, of: 1 } } });
    expect(tally.misses).toEqual([{ id: "a", field, command, text: expect.any(String) }]);
  });

  it("misses a prompt that rules can answer", async () => {
    expect((await one("ls", { force_prompt: true })).misses).toMatchObject([{ field: "force_prompt" }]);
  });

  it("takes a prompt for a denial where the case says so", async () => {
    expect((await one("rm x; echo $(ls)", { must_be_denied_by: ["mv *"] })).failed).toBe(1);
    expect((await one("rm x; echo $(ls)", { must_be_denied_by: ["mv *"], prompt_is_enough: true })).failed).toBe(0);
    expect((await one("rm x; echo $(ls)", { must_be_denied_by: ["mv *"], force_prompt: true })).failed).toBe(0);
  });

  it("fails a case once, however much of it misses", async () => {
    const tally = await one("ls", { segments: ["rm"], should_be_allowed_by: ["rm *"] });
    expect(tally).toMatchObject({ passed: 0, failed: 1 });
    expect(tally.misses).toHaveLength(2);
  });

  it("runs the setup in a scratch folder of its own, and never the command", async () => {
    const inside = await one(
      "echo hi > sub/link/out.txt",
      { must_not_be_allowed_by: ["echo *", "sub/**"] },
      "mkdir ../outside && ln -s ../../outside sub/link",
    );
    expect(inside).toMatchObject({ passed: 1, failed: 0 });
    const [said] = (await one("ls", {}, "pwd >&2; exit 1")).misses;
    expect(said).toMatchObject({ field: "setup" });
    expect(existsSync(said?.text ?? "")).toBe(false);
    expect(await one("touch /tmp/mortise-never-there", { should_be_allowed_by: ["touch *"] })).toBeDefined();
    expect(existsSync("/tmp/mortise-never-there")).toBe(false);
  });
});

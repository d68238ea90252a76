import { describe, expect, it } from "vitest";
import { compileProgram } from "../../../core/programs/compile.ts";

const run = async (code: string): Promise<unknown> => {
  const compiled = await compileProgram(code);
  if ("message" in compiled) throw new Error(compiled.message);
  // biome-ignore lint/security/noGlobalEval: it is what the isolate does with it
  const evaluate = eval;
  return evaluate(compiled.script)();
};

describe("compileProgram()", () => {
  it("makes the code the body of an async function", async () => {
    expect(await run("await 1; return 2")).toBe(2);
    expect(await run("const a: number = 1; a as unknown")).toBe(1);
    expect(await run("// nothing")).toBeUndefined();
    await expect(run("undeclared = 1")).rejects.toThrow();
  });

  it("knows where in the code something stands", async () => {
    const compiled = await compileProgram("interface A { a: 1 }\n\n\nfoo();\nbar.baz()");
    if ("message" in compiled) throw new Error(compiled.message);
    const lines = compiled.script.split("\n");
    const line = (text: string) => lines.findIndex((each) => each.includes(text)) + 1;
    expect(compiled.place(line("foo"), 3)).toEqual({ line: 4, column: 1 });
    expect(compiled.place(line("bar"), (lines[line("bar") - 1]?.indexOf("bar") ?? 0) + 1)).toMatchObject({ line: 5, column: 1 });
  });

  it("ends what takes the compiler minutes to read, by its own time and by that of its call", async () => {
    const long = `${"a,".repeat(80_000)}b`;
    expect(await compileProgram(long)).toEqual({ message: expect.stringContaining("longer than") });
    const stop = new AbortController();
    const compiling = compileProgram(long, stop.signal);
    setTimeout(() => stop.abort(new Error("enough")), 500);
    await expect(compiling).rejects.toThrow("enough");
    await expect(compileProgram("1", stop.signal)).rejects.toThrow("enough");
    expect(await run("1 + 1")).toBe(2);
  }, 30_000);

  it.each(["(", "[", "{", "!", "- ", "`${", "a=>"])("does not give the compiler what would end it: %s", async (text) => {
    const began = Date.now();
    expect(await compileProgram(text.repeat(300_000))).toEqual({ message: expect.stringContaining("too deeply") });
    expect(Date.now() - began).toBeLessThan(1_000);
    expect(await run(`[${"[1],".repeat(20_000)}].length`)).toBe(20_000);
  });

  it("says where what is no code is wrong", async () => {
    expect(await compileProgram("a\nb c")).toMatchObject({ line: 2, column: 3 });
    expect(await compileProgram("f(")).toMatchObject({ line: 1, column: 3 });
    expect(await compileProgram("(".repeat(200_000))).toHaveProperty("message");
  });
});

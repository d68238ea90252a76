import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { grammars } from "../../../core/syntax/grammars.mjs";
import { createQueries, type QueryRequest } from "../../../core/syntax/queries.ts";

const queries = createQueries({});
afterAll(() => queries.close());

/** The names and texts of what was captured. */
async function captured(request: QueryRequest): Promise<[name: string, text: string][]> {
  const { captures } = await queries.query(request);
  const { names, places, texts }: { names: string[]; places: number[]; texts: string[] } = JSON.parse(captures);
  return texts.map((text, at) => [names[places[at * 7]!]!, text]);
}

describe("createQueries()", () => {
  it("parses with every grammar of the table, each the one that was pinned", async () => {
    for (const [language, { sha256 }] of Object.entries(grammars)) {
      const wasm = readFileSync(fileURLToPath(new URL(`../../../dist/grammars/${language}.wasm`, import.meta.url)));
      expect(createHash("sha256").update(wasm).digest("hex"), language).toBe(sha256);
      expect(await queries.query({ language, text: "a\n", query: "(_) @x" }), language).toMatchObject({ truncated: false });
    }
  }, 120_000);

  it("refuses a language without a grammar, and names those there are", async () => {
    await expect(queries.query({ language: "cobol", text: "", query: "(_) @x" })).rejects.toMatchObject({
      code: "wrong_argument",
      seen: expect.stringContaining("typescript"),
    });
  });

  it("ends texts where another capture begins, cuts them, and leaves out those that are not wanted", async () => {
    const request = {
      language: "javascript",
      text: "function f(a) { return g(1); }\n",
      query: "(function_declaration body: (_) @body) @f (number) @_n",
    };
    expect(await captured({ ...request, texts: { until: "body", without: ["body"] } })).toEqual([
      ["f", "function f(a) "],
      ["body", ""],
    ]);
    const apart = { ...request, query: "(function_declaration body: (_) @_body) @f", texts: { until: "_body" } };
    expect(await captured(apart)).toEqual([["f", "function f(a) "]]);
    expect(await captured({ ...request, texts: { max: 8 } })).toEqual([
      ["f", "function"],
      ["body", "{ return"],
    ]);
  });

  it("parses once what is asked twice at once", async () => {
    const request = { language: "javascript", text: "f(1);\n", query: "(number) @twice" };
    const [first, second] = await Promise.all([queries.query(request), queries.query(request)]);
    expect(second).toBe(first);
    const wrong = { ...request, query: "(no_such_node) @n" };
    const failed = await Promise.allSettled([queries.query(wrong), queries.query(wrong)]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(queries.query(wrong)).rejects.toMatchObject({ code: "syntax_failed" });
  });

  it("begins no pattern deeper than asked for", async () => {
    const request = {
      language: "javascript",
      text: "function f() { function g() { function h() {} } }\n",
      query: "(function_declaration name: (_) @n)",
    };
    expect(await captured(request)).toHaveLength(3);
    expect(await captured({ ...request, depth: 3 })).toEqual([
      ["n", "f"],
      ["n", "g"],
    ]);
  });

  it("reads what is masked as blanks, and what is to be mended where there are errors alone; places stay", async () => {
    const query = "(class_specifier name: (_) @n)";
    const masked = { language: "cpp", text: "class API Foo { int a; };\n", query };
    expect(await captured(masked)).toEqual([["n", "API"]]);
    expect(await captured({ ...masked, mask: "\\bAPI\\b" })).toEqual([["n", "Foo"]]);
    const broken = {
      language: "javascript",
      text: `%% ${"no such (thing "} %%`.repeat(5).concat("\nfunction f() {}\n"),
      query: "(function_declaration) @f",
    };
    expect(await queries.query(broken)).toMatchObject({ hasError: true });
    const mended = await queries.query({ ...broken, mend: "^%%.*$" });
    expect(mended).toMatchObject({ hasError: false, wrong: 0 });
    expect(JSON.parse(mended.captures)).toMatchObject({
      texts: ["function f() {}"],
      places: [0, 0, broken.text.indexOf("function"), broken.text.length - 1, 1, 1, 0],
    });
  });

  it("mends a text into what it is with those blanks from the start, places and all", async () => {
    const query = "[(function_declaration) (string) (comment) (ERROR)] @x";
    const line = "%% no such (thing \u{1f600} %%";
    const text = [`"\u{1f600}"; function a() {`, line, "}", line, "/* a", `%% ${line}`, "*/ function b() {", `  "c"; ${line}`, "}", ""].join("\n");
    const blank = (whole: string) => whole.replaceAll(line, " ".repeat(line.length));
    const request = { language: "javascript", query };
    const mended = await queries.query({ ...request, text, mend: "%% no.*%%" });
    const blanked = await queries.query({ ...request, text: blank(text) });
    const { texts, ...places } = JSON.parse(mended.captures);
    expect(mended.wrong).toBe(0);
    expect({ ...places, texts: texts.map(blank) }).toEqual(JSON.parse(blanked.captures));
  });

  it("goes on with another process where one was ended, and answers what it knows", async () => {
    const request = { language: "json", text: "[1]", query: "(number) @n" };
    const first = await queries.query(request);
    expect(await queries.query({ ...request })).toBe(first);
    await expect(
      queries.query({ language: "javascript", text: `${"(".repeat(200_000)}`, query: "(_) @x" }).catch((error) => error),
    ).resolves.toBeDefined();
    expect(await captured({ language: "javascript", text: "a;", query: "(identifier) @i" })).toEqual([["i", "a"]]);
  }, 60_000);
});

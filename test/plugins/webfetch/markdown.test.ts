import { describe, expect, it } from "vitest";
import { markdownOf } from "../../../plugins/webfetch/markdown.ts";

const made = (html: string, budgetMs = 30_000, signal = new AbortController().signal) =>
  markdownOf(html, { origin: "https://a.example", budgetMs, signal });

describe("markdownOf()", () => {
  it.each([
    ["<h2>A</h2><p>b</p>", "## A\n\nb"],
    ["<p><a href='/x'>l</a></p>", "[l](https://a.example/x)"],
    ["<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
    ["<script>x</script><style>y</style>z", "z"],
    ["", ""],
  ])("makes of %j: %j", async (html, text) => {
    expect(await made(html)).toEqual({ text, plain: false });
  });

  it("makes the same of a long page, which it reads in pieces", async () => {
    const { text, plain } = await made("<p>one <b>two</b> three</p>\n".repeat(10_000));
    expect(plain).toBe(false);
    expect(text.split("\n\n")).toEqual(Array(10_000).fill("one **two** three"));
  });

  it("leaves embedded data out", async () => {
    const { text } = await made(`<p>a <img alt="dot" src="data:image/png;base64,${"QUJD".repeat(200_000)}"> b</p>`);
    expect(text).toBe("a ![dot](data:image/png;base64,...) b");
  });

  it("gives plain text where time is up, or where there is no end to text without a tag", async () => {
    expect(await made("<h1>A</h1>".repeat(20_000), -1)).toEqual({ text: Array(20_000).fill("A").join("\n\n"), plain: true });
    const { text, plain } = await made(`<h1>A</h1>${"*b* ".repeat(100_000)}<h1>C</h1>`);
    expect(plain).toBe(true);
    expect(text).toMatch(/^A\n\*b\* .*\nC$/s);
  });

  it("ends with its signal", async () => {
    const controller = new AbortController();
    const running = made("<p>a</p>".repeat(500_000), 30_000, controller.signal);
    setTimeout(() => controller.abort(new Error("enough")), 5);
    await expect(running).rejects.toThrow("enough");
  });
});

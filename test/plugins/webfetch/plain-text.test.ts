import { describe, expect, it } from "vitest";
import { plainText } from "../../../plugins/webfetch/plain-text.ts";

describe("plainText()", () => {
  it.each([
    ["", ""],
    ["just text", "just text"],
    ["<p>a</p><p>b <b>c</b></p>", "a\n\nb c"],
    ["<title>T</title><h1>A</h1>b<br>c<ul><li>d<li>e</ul>", "T\n\nA\nb\nc\n\nd\ne"],
    ["a<script>if (a < b) '</p>'</script>b<STYLE>x</STYLE >c<!-- <b> -->d", "abcd"],
    ["a<script>never ends <b>x</b>", "a"],
    ["1 < 2 and 3 <4", "1 < 2 and 3 <4"],
    ["a <b", "a"],
    ["a <!-- b", "a"],
    ["<!doctype html><?xml version='1.0'?>a", "a"],
    ["&lt;b&gt; &amp;amp; &#65;&#x42; &nbsp;x &nope; &#0; &#xd800; &#x110000;", "<b> &amp; AB x &nope; \ufffd \ufffd \ufffd"],
    ["  a  \t b\r\n\n\n\n c ", "a b\n\nc"],
    ["<svg><text>x</text></svg>y", "y"],
    ["<a href='>'>x</a>", "'>x"],
  ])("makes of %j: %j", async (html, text) => {
    expect(await plainText(html)).toBe(text);
  });

  it("cuts no entity between two pieces", async () => {
    for (const before of [32_760, 32_764, 32_766, 32_767, 32_768]) {
      const text = await plainText(`${"x".repeat(before)}&amp;${"y".repeat(40_000)}`);
      expect(text).toBe(`${"x".repeat(before)}&${"y".repeat(40_000)}`);
    }
  });

  it.each(["<", "<a ", "<!--", "</", "<svg></svg>", "&amp;", "&#x41", "\n", " ", "<br>", "<1", "<script></scriptx>", "<title>"])(
    "is done soon with a page of %j alone",
    { timeout: 30_000 },
    async (unit) => {
      await plainText(unit.repeat(Math.ceil(1_000_000 / unit.length)));
    },
  );
});

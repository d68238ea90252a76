import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainStream, plainText } from "../../../core/output/plain.ts";

const special = ["\r", "\b", "\u001b", "\u0090", "\u0098", "\u009b", "\u009d", "\u009e", "\u009f"];
const key = "AKIAIOSFODNN7EXAMPLE";

function streamed(chunks: readonly string[]): string {
  let shown = "";
  const stream = plainStream((text) => {
    shown += text;
  });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return shown;
}

const sequences: [string, string][] = [
  ["a colour", "\u001b[32m"],
  ["a colour of many numbers", "\u001b[38;2;1;2;3m"],
  ["a reset", "\u001b[m"],
  ["a private mode", "\u001b[?25l"],
  ["a mode of a terminal's own", "\u001b[>4;2m"],
  ["erase to the end of the line", "\u001b[K"],
  ["a final letter that is rare", "\u001b[3X"],
  ["a cursor saved by control sequence", "\u001b[s"],
  ["a cursor saved by escape", "\u001b7"],
  ["a cursor shape with a blank in it", "\u001b[2 q"],
  ["a character set", "\u001b(B"],
  ["a keypad mode", "\u001b="],
  ["a title ended by a bell", "\u001b]0;the title: x\u0007"],
  ["a title ended by an escape", "\u001b]2;\u00fcber\u001b\\"],
  ["a link", "\u001b]8;;https://example.invalid/a?b=c\u001b\\"],
  ["a device string", "\u001bP1$r0m\u001b\\"],
  ["an application string", "\u001b_Ga=1\u001b\\"],
  ["a control sequence of one byte", "\u009b31m"],
  ["a string of one byte", "\u009d0;t\u009c"],
  ["an escape alone", "\u001b"],
];

describe("plainText()", () => {
  it.each(sequences)("takes out %s, even inside a token", (_, sequence) => {
    expect(plainText(`${key.slice(0, 4)}${sequence}\u001b[m${key.slice(4)} done\n`)).toBe(`${key} done\n`);
  });

  it("takes out several in a row", () => {
    expect(plainText(`\u001b[32mAKIA\u001b[0mIOSFODNN7EXAMPLE done\n`)).toBe(`${key} done\n`);
    expect(plainText("\u001b\u001b[1m\u001b[31mx\u001b[0m")).toBe("x");
  });

  it.each([
    ["\u001b]0;no end\nnext line", "0;no end\nnext line"],
    ["\u001b[3\n1m", "3\n1m"],
    ["\u001b[\u00e9", "\u00e9"],
    ["text\u001b[31", "text31"],
  ])("loses no text to a sequence that does not end: %j", (given, plain) => {
    expect(plainText(given)).toBe(plain);
  });

  it.each([
    ["a\r\nb\r\n", "a\nb\n"],
    ["a\r\r\nb", "a\nb"],
    ["1%\r2%\r100%\rdone\n", "done\n"],
    [`${Array.from({ length: 5_000 }, (_, i) => `${i}%`).join("\r")}\rdone\n`, "done\n"],
    ["\u001b[2K\rA\u001b[2K\rB\n", "B\n"],
    ["\u001b[?25lx\u001b[?25h\n", "x\n"],
    ["50%\r", "50%"],
    ["50%\r\u001b[K", "50%"],
    ["\r\r\r", ""],
    ["\r\n\r\n", "\n\n"],
    ["a\rb\nc\rd", "b\nd"],
  ])("shows of %j what a terminal shows last", (given, plain) => {
    expect(plainText(given)).toBe(plain);
  });

  it.each([
    ["|\b/\b-\b\\ done", "\\ done"],
    ["N\bNA\bAM\bME\bE", "NAME"],
    ["_\bu_\bn", "un"],
    ["10%\b\b\b100%", "100%"],
    ["abc\b\bx", "axc"],
    ["a\b\b\bb\nc\b", "b\nc"],
    [`AK\bKIA${key.slice(4)}`, key],
    ["\u{1f600}\b\u{1f601}", "\u{1f601}"],
  ])("shows of %j what backspaces leave", (text, shown) => {
    expect(plainText(text)).toBe(shown);
  });

  it("leaves other text as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const harmless = special.reduce((rest, char) => rest.replaceAll(char, ""), text);
        expect(plainText(harmless)).toBe(harmless);
      }),
    );
  });

  it("leaves no escape and no carriage return in anything", () => {
    const piece = fc.constantFrom("\u001b", "[", "]", "0", ";", "m", "\r", "\n", "\u0007", "\\", "\u009b", "\u009c", "x", " ", "P");
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 40 }), (text) => {
        expect([...plainText(text)].filter((char) => special.includes(char))).toEqual([]);
      }),
    );
  });

  it.each(["\u001b[", "\u001b]a", "\u001b]", "\u001b", "\u001bP\u001b", "\u009b0", "\r", "\r\n", "a\r", "\b", "a\b", "\u001b[3", "\u001b ", ";"])(
    "reads megabytes of %j soon",
    (unit) => {
      const text = `\u001b]${unit.repeat(1_000_000 / unit.length)}x`;
      const began = performance.now();
      plainText(text);
      expect(performance.now() - began).toBeLessThan(10_000);
    },
  );
});

describe("plainStream()", () => {
  it.each(sequences)("takes out %s wherever chunks break it", (_, sequence) => {
    const text = `${key.slice(0, 4)}${sequence}\u001b[m${key.slice(4)} done\n`;
    for (let cut = 0; cut <= text.length; cut++) expect(streamed([text.slice(0, cut), text.slice(cut)])).toBe(`${key} done\n`);
    expect(streamed([...text])).toBe(`${key} done\n`);
  });

  it("takes out a link whose address is long", () => {
    const text = `a\u001b]8;;https://example.invalid/${"x".repeat(1_000)}\u0007b`;
    expect(streamed(text.match(/[\s\S]{1,50}/g) ?? [])).toBe("ab");
  });

  it("shows what goes on too long to be a sequence", () => {
    const text = `a\u001b]${"x".repeat(100_000)}`;
    const shown: string[] = [];
    const stream = plainStream((piece) => shown.push(piece));
    for (const chunk of text.match(/[\s\S]{1,64}/g) ?? []) stream.write(chunk);
    expect(shown.join("").length).toBeGreaterThan(90_000);
    stream.end();
    expect(shown.join("")).toBe(`a${"x".repeat(100_000)}`);
  });

  it("takes a line end that chunks break for one", () => {
    expect(streamed(["a\r", "\nb\r", "\n"])).toBe("a\nb\n");
    expect(streamed(["a\r", "\r", "\r\n", "b"])).toBe("a\nb");
    expect(streamed(["50%\r"])).toBe("50%");
  });

  it.each([
    [["1%\r2%\r", "3%\r", "done\n"], "2%\n3%\ndone\n"],
    [["1%", "\r2%", "\r\u001b[", "K3%"], "1%\n2%\n3%"],
    [["1%\r\u001b[K", "2%"], "1%\n2%"],
    [["\r", "1%\n", "\r2%"], "1%\n2%"],
    [["a\n", "\rb"], "a\nb"],
  ])("never glues a frame to the one it writes over: %j", (chunks, shown) => {
    expect(streamed(chunks)).toBe(shown);
  });

  it("shows a frame that backspaces write over where it comes in one piece, and no backspace otherwise", () => {
    expect(streamed(["|\b/", "\b-\b", "done\n"])).toBe("/-done\n");
  });

  it("shows text that has no carriage returns as plainText() does, in any chunks", () => {
    const piece = fc.constantFrom("\u001b[1m", "\u001b]0;t\u0007", "\u001b(B", "\u001b7", "abc ", "\n", "\r\n", "\u{1f600}", "7m", "]");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(9), { minLength: 1 }), (pieces, sizes) => {
        const text = pieces.join("");
        const chunks: string[] = [];
        for (let at = 0, i = 0; at < text.length; i++) {
          const size = (sizes[i % sizes.length] ?? 0) + 1;
          chunks.push(text.slice(at, at + size));
          at += size;
        }
        expect(streamed(chunks)).toBe(plainText(text));
      }),
    );
  });

  it("says nothing where there is nothing", () => {
    const shown: string[] = [];
    const stream = plainStream((text) => shown.push(text));
    stream.write("");
    stream.write("\u001b[m");
    stream.write("\r");
    stream.end();
    expect(shown).toEqual([]);
  });

  it("takes many small chunks soon", () => {
    const began = performance.now();
    for (const unit of ["\u001b]a", "\r", "\u001b", "a\r", "x"]) streamed(unit.repeat(300_000 / unit.length).match(/[\s\S]{1,16}/g) ?? []);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

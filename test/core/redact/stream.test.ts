import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RedactedStream, type RedactTexts, redactStream } from "../../../core/redact/stream.ts";
import { sentence } from "../../../sdk/errors.ts";

const withheld = `${sentence("withheld")}\n`;
type Redactor = (text: string) => string;

const asTexts =
  (redactor: Redactor): RedactTexts =>
  async (texts) => ({ texts: texts.map(redactor), withheld: false });

/** Lets the stream do all it can do with what it has. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

async function streamed(overlap: number | null, texts: RedactTexts, chunks: readonly string[], after?: (shown: string) => void): Promise<string> {
  let shown = "";
  const stream = redactStream(overlap, texts, (text) => {
    shown += text;
    after?.(shown);
  });
  for (const chunk of chunks) {
    stream.write(chunk);
    await settled();
  }
  await stream.end();
  return shown;
}

const key = "AKIAIOSFODNN7EXAMPLE";
const keys: Redactor = (text) => text.replaceAll(/AKIA[A-Z0-9]{16}/g, "[redacted]");

const kinds: { name: string; redactor: Redactor; longest: number; secret: fc.Arbitrary<string> }[] = [
  {
    name: "of one length",
    redactor: keys,
    longest: 20,
    secret: fc.string({ unit: fc.constantFrom(..."ABXZ09"), minLength: 16, maxLength: 16 }).map((tail) => `AKIA${tail}`),
  },
  {
    name: "of many lengths",
    redactor: (text) => text.replaceAll(/\bsk-\w{8,}/g, (all) => `[${all.length} hidden]`),
    longest: 40,
    secret: fc.string({ unit: fc.constantFrom(..."abc_9"), minLength: 8, maxLength: 37 }).map((tail) => `sk-${tail}`),
  },
  {
    name: "over lines",
    redactor: (text) => text.replaceAll(/BEGIN KEY\n[A-Z\n]*END KEY/g, ""),
    longest: 60,
    secret: fc.string({ unit: fc.constantFrom("A", "Z", "\n"), maxLength: 43 }).map((inner) => `BEGIN KEY\n${inner}END KEY`),
  },
  {
    name: "known by what stands before and behind",
    redactor: (text) => text.replaceAll(/(?<=token=")\w{4,20}(?=")/g, "***"),
    longest: 28,
    secret: fc.string({ unit: fc.constantFrom(..."xyz1"), minLength: 4, maxLength: 20 }).map((inner) => `token="${inner}"`),
  },
];

const plain = fc.string({ unit: fc.constantFrom("a", "b ", "\n", "AKIA", "sk-", "=", '"', "\u{1f600}", "\u00e9", "BEGIN"), maxLength: 60 });

function chunksOf(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

describe("redactStream()", () => {
  it("hides a key that a chunk border cuts", async () => {
    const moments: string[] = [];
    const shown = await streamed(256, asTexts(keys), ["key=AKIAIOSF", "ODNN7EXAMPLE\nok\n"], (all) => moments.push(all));
    expect(shown).toBe("key=[redacted]\nok\n");
    expect(moments.filter((all) => all.includes("AKIAIOSF"))).toEqual([]);
  });

  it.each(kinds)("shows what the redactor makes of the whole, for secrets $name, and never a piece of one", async ({ redactor, longest, secret }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(plain, secret), { maxLength: 8 }),
        plain,
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 }),
        fc.nat(200),
        async (pairs, last, sizes, more) => {
          // Something stands between two secrets, so that one is known from the other.
          const text = `${pairs.map(([before, found]) => `${before} ${found} `).join("")}${last}`;
          const whole = redactor(text);
          const pieces = pairs.map(([, found]) => found.slice(0, 12)).filter((piece) => !whole.includes(piece));
          const shown = await streamed(longest + more, asTexts(redactor), chunksOf(text, sizes), (all) => {
            expect(pieces.filter((piece) => all.includes(piece))).toEqual([]);
          });
          expect(shown).toBe(whole);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("shows text while it comes, all but the overlap and a little more", async () => {
    let shown = "";
    const stream = redactStream(100, asTexts(keys), (text) => {
      shown += text;
    });
    for (let i = 0; i < 50; i++) {
      stream.write(`line ${i} of the output\n`);
      await settled();
      expect(shown.length).toBeGreaterThanOrEqual((i + 1) * 20 - 100 - 25 - 24);
    }
    await stream.end();
    expect(shown.endsWith("line 49 of the output\n")).toBe(true);
  });

  it("waits for the end of a secret that is longer than the overlap", async () => {
    const block: Redactor = (text) => text.replaceAll(/-----BEGIN[\s\S]*?(?:-----END-----|$)/g, "[key]");
    const lines = Array.from({ length: 40 }, (_, i) => `${String.fromCharCode(65 + (i % 26)).repeat(64)}\n`);
    const closed = ["before\n", "-----BEGIN\n", ...lines, "-----END-----\n", "after\n"];
    const checked = (all: string) => expect(all).not.toMatch(/A{8}|B{8}/);
    expect(await streamed(64, asTexts(block), closed, checked)).toBe("before\n[key]\nafter\n");
    // And of one whose end never comes.
    expect(await streamed(64, asTexts(block), closed.slice(0, -2), checked)).toBe("before\n[key]");
  });

  it("goes on after a long secret as before it", async () => {
    const long: Redactor = (text) => text.replaceAll(/<[^>]*(?:>|$)/g, "<>");
    let shown = "";
    const stream = redactStream(16, asTexts(long), (text) => {
      shown += text;
    });
    const line = "then text that is no secret\n";
    for (const chunk of ["<", "x".repeat(8_000), ">", ...Array.from({ length: 100 }, () => line)]) {
      stream.write(chunk);
      await settled();
    }
    // What it waited for grew with the secret; now it is as before.
    expect(2 + 100 * line.length - shown.length).toBeLessThanOrEqual(16 + 4 + line.length);
    await stream.end();
    expect(shown).toBe(`<>${line.repeat(100)}`);
  });

  it("withholds the rest where a secret does not end within a megabyte", async () => {
    const all: Redactor = (text) => text.replaceAll(/<[^>]*(?:>|$)/g, "<>");
    const chunks = ["before ".repeat(10), "<", ...Array.from({ length: 40 }, () => "q".repeat(100_000)), ">", "after"];
    const shown = await streamed(16, asTexts(all), chunks);
    expect(shown.endsWith(withheld)).toBe(true);
    expect(shown).not.toMatch(/q|after/);
  });

  it("passes text straight through without redactors", async () => {
    const shown: string[] = [];
    const stream = redactStream(
      null,
      async () => {
        throw new Error("Nobody asks.");
      },
      (text) => shown.push(text),
    );
    stream.write(key);
    stream.write("b");
    expect(shown).toEqual([key, "b"]);
    await stream.end();
  });

  it("shows each chunk at once with no overlap", async () => {
    const shown: string[] = [];
    const stream = redactStream(0, asTexts(keys), (text) => shown.push(text));
    stream.write(`a ${key} b`);
    await settled();
    expect(shown).toEqual(["a [redacted] b"]);
    await stream.end();
    expect(shown).toEqual(["a [redacted] b"]);
  });

  it.each<[string, RedactTexts]>([
    ["says so", async (texts) => ({ texts, withheld: true })],
    [
      "throws",
      async () => {
        throw new Error("no");
      },
    ],
    ["gives no texts back", async () => ({ texts: [], withheld: false })],
  ])("shows nothing of a stream whose redactor %s", async (name, failing) => {
    const chunks = Array.from({ length: 30 }, () => `${key} and more text\n`);
    const shown = await streamed(64, failing, chunks);
    expect(shown).toBe(name === "gives no texts back" ? "" : withheld);
  });

  it("withholds what comes after a failure, once", async () => {
    let left = 3;
    const failing: RedactTexts = async (texts) => {
      if (left-- === 0) throw new Error("no");
      return { texts: texts.map(keys), withheld: false };
    };
    const shown = await streamed(
      20,
      failing,
      Array.from({ length: 30 }, (_, i) => `line ${i} of the text\n`),
    );
    expect(shown.split(withheld)).toHaveLength(2);
    expect(shown.endsWith(withheld)).toBe(true);
    expect(shown.startsWith("line 0")).toBe(true);
  });

  it("shows no more where redactors do not keep up with what comes", async () => {
    let shown = "";
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const stream = redactStream(
      16,
      async (texts) => {
        asked++;
        await gate.promise;
        return { texts, withheld: false };
      },
      (text) => {
        shown += text;
      },
    );
    for (let i = 0; i < 20; i++) {
      stream.write("x".repeat(1024 * 1024));
      await settled();
    }
    gate.resolve();
    await stream.end();
    expect(asked).toBe(1);
    expect(shown.length).toBeLessThan(100);
    stream.write("more");
    await stream.end();
    expect(shown).not.toContain("more\n");
  });

  it("harms nobody when whoever is shown the text fails", async () => {
    const failing = () => {
      throw new Error("no");
    };
    for (const overlap of [null, 0, 64]) {
      const stream: RedactedStream = redactStream(overlap, asTexts(keys), failing);
      for (let i = 0; i < 10; i++) {
        stream.write("some text that is longer than the overlap, twice over, at least once in a while\n");
        await settled();
      }
      await expect(stream.end()).resolves.toBeUndefined();
    }
  });

  it("ends at once with nothing written, and twice", async () => {
    const shown: string[] = [];
    const stream = redactStream(64, asTexts(keys), (text) => shown.push(text));
    await stream.end();
    stream.write("ab");
    await stream.end();
    await stream.end();
    expect(shown).toEqual(["ab"]);
  });

  it("never cuts a character in two", async () => {
    for (const overlap of [0, 7, 64]) {
      await streamed(overlap, asTexts(keys), ["\u{1f600}".repeat(101), "a", "\u{1f600}".repeat(40_000)], (all) =>
        expect(all.isWellFormed()).toBe(true),
      );
    }
  });

  it("asks for little at a time, and as much as the text is long, however it comes", async () => {
    const line = "a line of output that is no secret at all, as most are\n";
    const asked = async (overlap: number, redactor: Redactor, chunks: readonly string[]) => {
      let chars = 0;
      let most = 0;
      const counting: RedactTexts = async (texts) => {
        const sum = texts.reduce((total, text) => total + text.length, 0);
        chars += sum;
        most = Math.max(most, sum);
        return { texts: texts.map(redactor), withheld: false };
      };
      await streamed(overlap, counting, chunks);
      return { perChar: chars / chunks.join("").length, most };
    };
    const asIs: Redactor = (text) => text;
    const endless: Redactor = (text) => text.replaceAll(/<[^>]*(?:>|$)/g, "<>");
    const whole = line.repeat(40_000);
    const tiny = line.repeat(200).match(/[\s\S]/g) ?? [];
    expect(await asked(256, asIs, [whole])).toMatchObject({
      perChar: expect.toSatisfy((n: number) => n < 20),
      most: expect.toSatisfy((n: number) => n < 1e6),
    });
    expect((await asked(256, asIs, tiny)).perChar).toBeLessThan(100);
    expect((await asked(4_096, asIs, tiny)).perChar).toBeLessThan(100);
    expect((await asked(256, endless, ["<", ...Array.from({ length: 900 }, () => "x".repeat(1_000)), ">"])).perChar).toBeLessThan(100);
  });

  it("takes eight megabytes in small chunks soon", async () => {
    const chunks = Array.from({ length: 80_000 }, (_, i) => (i % 100 === 0 ? `${key} ${"x".repeat(79)}` : "y".repeat(100)));
    const began = performance.now();
    let shown = 0;
    const stream = redactStream(256, asTexts(keys), (text) => {
      shown += text.length;
    });
    for (const [i, chunk] of chunks.entries()) {
      stream.write(chunk);
      if (i % 5 === 0) await settled();
    }
    await stream.end();
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(shown).toBe(8_000_000 - 800 * 10);
  });
});

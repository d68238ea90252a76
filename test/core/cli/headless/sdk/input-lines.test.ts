import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { inputLines } from "../../../../../core/cli/headless/sdk/input-lines.ts";

async function linesOf(chunks: readonly (string | Uint8Array)[]): Promise<(string | undefined)[]> {
  const lines: (string | undefined)[] = [];
  for await (const line of inputLines(Readable.from(chunks))) lines.push(line);
  return lines;
}

describe("inputLines()", () => {
  it("finds lines wherever chunks end, also inside a character, and skips empty ones", async () => {
    const text = Buffer.from('{"a":"é"}\r\n\n  \n{"b":1}');
    for (let at = 1; at < text.length; at++) {
      const lines = await linesOf([text.subarray(0, at), text.subarray(at)]);
      expect(lines.map((line) => line?.trim())).toEqual(['{"a":"é"}', '{"b":1}']);
    }
  });

  it("passes over a line that is too long, and goes on with the next", async () => {
    const part = Buffer.alloc(1024 * 1024, "a");
    expect(await linesOf([...Array.from({ length: 33 }, () => part), Buffer.from("\nnext\n")])).toEqual([undefined, "next"]);
  });
});

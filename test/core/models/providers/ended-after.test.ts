import { describe, expect, it } from "vitest";
import { createDoneLine, endedAfter } from "../../../../core/models/providers/ended-after.ts";

/** A stream that stays open after its chunks. */
function open(chunks: readonly string[]) {
  const seen = { cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  return { seen, stream };
}

const isDone = (chunks: readonly string[]) => {
  const done = createDoneLine();
  return chunks.map((chunk) => done(Buffer.from(chunk))).at(-1);
};

describe("endedAfter()", () => {
  it("ends with the last chunk where the stream stays open, and lets go of that", { timeout: 20_000 }, async () => {
    const { stream, seen } = open(["data: a\n\n", "data: [DO", "NE]\n\n", "more"]);
    expect(await new Response(endedAfter(stream, createDoneLine(), 1)).text()).toBe("data: a\n\ndata: [DONE]\n\n");
    await expect.poll(() => seen.cancelled, { timeout: 10_000 }).toBe(true);
  });

  it("passes a failure on", async () => {
    const failing = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("broke")) });
    await expect(new Response(endedAfter(failing, () => false)).text()).rejects.toThrow();
  });
});

describe("createDoneLine()", () => {
  it.each([[["data: [DONE]\n"]], [["data:[DONE]\r\n"]], [["data: 1\n\n", "data: [DONE]", "\n"]], [["d", "a", "ta: [", "DONE", "]\n"]]])(
    "knows the end in %j",
    (chunks) => {
      expect(isDone(chunks)).toBe(true);
    },
  );

  it.each([[['data: {"text":"data: [DONE]\\n"}\n']], [["data: [DONE]"]], [["x data: [DONE]\n"]]])("knows none in %j", (chunks) => {
    expect(isDone(chunks)).toBe(false);
  });
});

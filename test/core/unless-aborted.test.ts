import { describe, expect, it } from "vitest";
import { unlessAborted } from "../../core/unless-aborted.ts";

const never = new Promise<never>(() => {});

describe("unlessAborted()", () => {
  it("ends as the work does", async () => {
    const { signal } = new AbortController();
    await expect(unlessAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(unlessAborted(Promise.reject(new TypeError("no")), signal)).rejects.toThrow(TypeError);
  });

  it("rejects with the signal's reason where that fires first", async () => {
    const controller = new AbortController();
    const waiting = unlessAborted(never, controller.signal);
    controller.abort(new RangeError("enough"));
    await expect(waiting).rejects.toThrow(RangeError);
  });

  it("rejects at once where the signal has fired, whatever the work says afterwards", async () => {
    await expect(unlessAborted(never, AbortSignal.abort(new RangeError("before")))).rejects.toThrow(RangeError);
    await expect(unlessAborted(Promise.reject(new TypeError("after")), AbortSignal.abort(new RangeError("before")))).rejects.toThrow(RangeError);
  });
});

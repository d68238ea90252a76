import { describe, expect, it } from "vitest";
import { lastLines } from "../../../plugins/bash/last-lines.ts";
import { resultText } from "../../../plugins/bash/result-text.ts";
import type { RunResult } from "../../../sdk/api.ts";

const says = (result: Partial<RunResult>, tail?: number) =>
  resultText({ text: "", droppedBytes: 0, exitCode: 0, signal: null, ended: "exit", leftRunning: false, ...result }, { tail, timeoutMs: 2_500 });

describe("resultText()", () => {
  it("is the output alone where all went well", () => {
    expect(says({ text: "hi\n" })).toEqual({ text: "hi", isError: false });
    expect(says({ text: "\n a \n\n" })).toEqual({ text: "\n a \n", isError: false });
    expect(says({})).toEqual({ text: "Exit code: 0", isError: false });
  });

  it("tells exit code and signal", () => {
    expect(says({ text: "no\n", exitCode: 2 })).toEqual({ text: "no\nExit code: 2", isError: true });
    expect(says({ exitCode: 137 })).toEqual({ text: "Exit code: 137", isError: true });
    expect(says({ text: "no", exitCode: null, signal: "SIGKILL" })).toEqual({ text: "no\nSignal: SIGKILL", isError: true });
  });

  it("keeps what was printed before an early end, and says why it ended", () => {
    expect(says({ text: "a\n", exitCode: null, signal: "SIGTERM", ended: "timeout" })).toEqual({
      text: "a\n[timed out after 2.5 s; the output above is partial]",
      isError: true,
    });
    expect(says({ exitCode: 0, ended: "timeout" })).toEqual({ text: "[timed out after 2.5 s; nothing was printed before]", isError: true });
    expect(says({ text: "a", exitCode: null, ended: "cancelled" })).toEqual({ text: "a\n[cancelled; the output above is partial]", isError: true });
    expect(says({ text: "a", exitCode: null, ended: "output" }).isError).toBe(true);
  });

  it("says that something still runs", () => {
    expect(says({ text: "started\n", leftRunning: true })).toEqual({ text: "started\n[a process it started is still running]", isError: false });
    expect(says({ leftRunning: true })).toEqual({ text: "[a process it started is still running]", isError: false });
    expect(says({ exitCode: 1, leftRunning: true })).toEqual({ text: "Exit code: 1\n[a process it started is still running]", isError: true });
  });

  it("names what is left out where it is missing", () => {
    expect(says({ text: "headtail\n", droppedBytes: 12, cutAt: 4 }).text).toBe("head\n[12 bytes left out]\ntail");
    expect(says({ text: "head\ntail\n", droppedBytes: 12, cutAt: 5 }).text).toBe("head\n[12 bytes left out]\ntail");
  });

  it("keeps the last lines, also of what ended early", () => {
    expect(says({ text: "1\n2\n3\n" }, 2).text).toBe("2\n3");
    expect(says({ text: "1\n2\n3\n", exitCode: 1 }, 1).text).toBe("3\nExit code: 1");
    expect(says({ text: "1\n2\n3", exitCode: null, ended: "cancelled" }, 1).text).toBe("3\n[cancelled; the output above is partial]");
    expect(says({ text: "ab", droppedBytes: 9, cutAt: 1 }, 2).text).toBe("[9 bytes left out]\nb");
  });
});

describe("lastLines()", () => {
  it.each([
    ["", 1, ""],
    ["a", 1, "a"],
    ["a\n", 1, "a\n"],
    ["a\nb", 1, "b"],
    ["a\nb\n", 1, "b\n"],
    ["a\n\n\n", 2, "\n\n"],
    ["\na", 1, "a"],
    ["\na", 2, "\na"],
    ["\n", 1, "\n"],
    ["a\nb", 9, "a\nb"],
  ])("of %j keeps %d as %j", (text, count, kept) => {
    expect(lastLines(text, count)).toBe(kept);
  });
});

import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readPrompt } from "../../../../core/cli/headless/read-prompt.ts";
import { codeOf } from "./code-of.ts";

const never = new AbortController().signal;
const read = (prompt: string | undefined, stdin: Readable, aborted = never) => readPrompt({ prompt, stdin, aborted, say: () => {}, firstByteMs: 50 });
const piped = (text: string) => Readable.from([Buffer.from(text)]);

describe("readPrompt()", () => {
  it("takes the prompt, what is piped in, or one after the other", async () => {
    expect(await read("Go", piped(""))).toBe("Go");
    expect(await read(undefined, piped("\ufeffGo on\n"))).toBe("Go on\n");
    expect(await read("What is this?", piped("some\nlines\n"))).toBe("What is this?\n\n<stdin>\nsome\nlines\n</stdin>");
  });

  it("refuses an empty one", async () => {
    expect(await codeOf(read(undefined, piped("")))).toBe("usage");
    expect(await codeOf(read(" \n", piped(" \n ")))).toBe("usage");
  });

  it("never reads a terminal", async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    expect(await read("Go", terminal)).toBe("Go");
    expect(await codeOf(read(undefined, terminal))).toBe("usage");
    expect(terminal.listenerCount("readable") + terminal.listenerCount("data")).toBe(0);
  });

  it("waits for no pipe that stays open and silent, and says so", async () => {
    const said: string[] = [];
    const open = new PassThrough();
    expect(await readPrompt({ prompt: "Go", stdin: open, aborted: never, say: (line) => said.push(line), firstByteMs: 20 })).toBe("Go");
    expect(said).toHaveLength(1);
  });

  it("waits for all of a pipe once something came", async () => {
    const slow = new PassThrough();
    slow.write("first ");
    setTimeout(() => slow.end("second"), 120);
    expect(await read("Go", slow)).toBe("Go\n\n<stdin>\nfirst second\n</stdin>");
  });

  it("refuses more than it takes, and ends at a signal", async () => {
    expect(await codeOf(read("Go", Readable.from(Array.from({ length: 9 }, () => Buffer.alloc(1024 * 1024, "a")))))).toBe("usage");
    const stop = new AbortController();
    const waiting = read(undefined, new PassThrough(), stop.signal);
    stop.abort();
    expect(await codeOf(waiting)).toBe("cancelled");
  });
});

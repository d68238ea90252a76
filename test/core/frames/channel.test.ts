import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createChannel } from "../../../core/frames/channel.ts";
import { encodeFrame } from "../../../core/frames/frames.ts";

let folder: string;
let here: Socket;
let there: Socket;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
  const server = createServer();
  const path = join(folder, "socket");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  here = connect(path);
  there = await accepted;
  server.close();
});
afterEach(async () => {
  here.destroy();
  there.destroy();
  await rm(folder, { recursive: true, force: true });
});

const frames = (...heads: unknown[]) => Buffer.concat(heads.flatMap((head) => encodeFrame(JSON.stringify(head), [])));

describe("createChannel()", () => {
  it("does what follows from a group of frames before it hears the next ones", async () => {
    const log: string[] = [];
    createChannel(
      here,
      ({ head }) => void follow(head),
      () => {},
      { group: 2 },
    );
    const follow = async (head: string) => {
      log.push(`heard ${head}`);
      for (let i = 0; i < 5; i++) await undefined;
      log.push(`done ${head}`);
    };
    there.end(frames(1, 2, 3, 4, 5));
    await new Promise((resolve) => here.once("close", resolve));
    const pair = (a: number, b: number) => [`heard ${a}`, `heard ${b}`, `done ${a}`, `done ${b}`];
    expect(log).toEqual([...pair(1, 2), ...pair(3, 4), "heard 5", "done 5"]);
  });

  it("hears all that came together at once where no group is said", async () => {
    const log: string[] = [];
    createChannel(
      here,
      ({ head }) => {
        log.push(`heard ${head}`);
        queueMicrotask(() => log.push(`done ${head}`));
      },
      () => {},
    );
    there.end(frames(1, 2, 3));
    await new Promise((resolve) => here.once("close", resolve));
    expect(log).toEqual(["heard 1", "heard 2", "heard 3", "done 1", "done 2", "done 3"]);
  });

  it("hears what its source hands over, also frames in pieces, and not the socket's data", async () => {
    const heard: string[] = [];
    let take: (chunk: Buffer) => void = () => {};
    createChannel(
      here,
      ({ head }) => heard.push(head),
      () => {},
      {
        source: (taken) => {
          take = taken;
        },
      },
    );
    const bytes = frames(1, 2);
    for (let at = 0; at < bytes.length; at += 5) take(bytes.subarray(at, at + 5));
    expect(heard).toEqual(["1", "2"]);
    const came = new Promise((resolve) => here.once("readable", resolve));
    there.write(frames(3));
    await came;
    expect(heard).toEqual(["1", "2"]);
  });

  it("writes long parts beside short ones in their order, all that was said before a flush with it", async () => {
    const heard: unknown[] = [];
    createChannel(
      there,
      ({ head, parts }) => heard.push([head, parts.map(({ length }) => length)]),
      () => {},
    );
    const channel = createChannel(
      here,
      () => {},
      () => {},
    );
    channel.send(1, ["a"]);
    channel.send(2, ["b".repeat(100_000), "c"]);
    channel.flush();
    channel.send(3, []);
    await expect
      .poll(() => heard)
      .toEqual([
        ["1", [1]],
        ["2", [100_000, 1]],
        ["3", []],
      ]);
  });

  it.each([undefined, 2])("tells once of a frame that is none, and hears nothing after it (groups of %s)", async (group) => {
    const heard: string[] = [];
    let broken = 0;
    createChannel(
      here,
      ({ head }) => {
        heard.push(head);
        if (head === "2") throw new RangeError("none");
      },
      () => broken++,
      group === undefined ? {} : { group },
    );
    there.end(frames(1, 2, 3, 4, 5));
    await new Promise((resolve) => here.once("close", resolve));
    expect([heard, broken]).toEqual([["1", "2"], 1]);
  });

  it.each([undefined, 2])("hears what came before bytes that are no frame (groups of %s)", async (group) => {
    const log: string[] = [];
    createChannel(
      here,
      ({ head }) => void log.push(head),
      () => void log.push("broken"),
      group === undefined ? {} : { group },
    );
    there.end(Buffer.concat([frames(1, 2, 3), Buffer.alloc(16)]));
    await new Promise((resolve) => here.once("close", resolve));
    expect(log).toEqual(["1", "2", "3", "broken"]);
  });
});

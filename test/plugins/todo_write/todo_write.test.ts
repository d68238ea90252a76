import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
});
afterAll(() => host.close());

const write = (input: unknown, sessionId = "one") => host.call("todo_write", input, { sessionId });

describe("todo_write", () => {
  it("replaces the list, and gives it as text and as data", async () => {
    await write({ todos: [{ content: "old", status: "completed" }] });
    const record = await write({
      todos: [
        { content: "write\n the  test", status: "completed", priority: "high" },
        { content: "fix it", status: "in_progress" },
        { content: "tell", priority: "low" },
        { content: "sing", status: "cancelled" },
      ],
    });
    expect(record).toMatchObject({
      isError: false,
      ran: true,
      permission: { decision: "allow", source: "no_scopes" },
      text: "[x] write the test (high)\n[>] fix it\n[ ] tell (low)\n[-] sing\n1 of 3 done",
      data: {
        todos: [
          { content: "write the test", status: "completed", priority: "high" },
          { content: "fix it", status: "in_progress", priority: "medium" },
          { content: "tell", status: "pending", priority: "low" },
          { content: "sing", status: "cancelled", priority: "medium" },
        ],
      },
    });
  });

  it("names what is gone and was not done, for each session by itself", async () => {
    await write({ todos: [{ content: "a" }, { content: "b", status: "completed" }, { content: "c", status: "in_progress" }] }, "two");
    expect((await write({ todos: [{ content: "d" }] }, "three")).text).toBe("[ ] d\n0 of 1 done");
    expect((await write({ todos: [{ content: "d" }] }, "two")).text).toBe("[ ] d\n0 of 1 done\n\n[gone from the list, and not done: a; c]");
    expect((await write({ todos: [] }, "two")).text).toBe("The list is empty now.");
    expect((await write({ todos: [{ content: "e" }] }, "two")).text).toBe("[ ] e\n0 of 1 done");
  });

  it("takes 100 items of 500 characters, and no more", async () => {
    const todos = Array.from({ length: 100 }, (_, index) => ({ content: `${index} `.padEnd(500, "x") }));
    expect(await write({ todos })).toMatchObject({ isError: false });
    expect(await write({ todos: [...todos, { content: "x" }] })).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    expect(await write({ todos: [{ content: "x".repeat(501) }] })).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
  });

  it.each([
    [{}, "todos: expected array, got nothing"],
    [{ todos: "buy milk" }, "todos: expected array"],
    [{ todos: 1 }, "todos: expected array"],
    [{ todos: [{}] }, "todos[0].content: expected string, got nothing"],
    [{ todos: [{ content: "" }] }, "todos[0].content"],
    [{ todos: [{ content: " \n" }] }, "todos[0].content"],
    [{ todos: [{ content: "a", status: "done" }] }, 'todos[0].status: expected one of ["pending","in_progress","completed","cancelled"], got "done"'],
    [{ todos: [{ content: "a", priority: 1 }] }, "todos[0].priority: expected one of"],
  ])("says of %j what is wrong, and keeps the list", async (input, says) => {
    await write({ todos: [{ content: "kept" }] }, "kept");
    const record = await write(input, "kept");
    expect(record).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    expect(record.text).toContain(says);
    expect((await write({ todos: [{ content: "new" }] }, "kept")).text).toContain("not done: kept");
  });

  it("takes what models get a little wrong", async () => {
    expect((await write({ todos: '[{"content":"a"}]' }, "wrong")).text).toBe("[ ] a\n0 of 1 done");
    expect((await write({ todos: { content: "a" } }, "wrong")).text).toBe("[ ] a\n0 of 1 done");
  });

  it("takes no item that nobody could see, and shows none that hides or reorders text", async () => {
    const before = await write({ todos: [{ content: "stays" }] }, "seen");
    for (const content of ["\u200b", "\u0007", "\ud800"]) {
      expect(await write({ todos: [{ content }] }, "seen")).toMatchObject({
        isError: true,
        text: expect.stringContaining("no text that can be seen"),
      });
    }
    expect((await write({ todos: [{ content: "stays" }, { content: "a\u202eb\ud83d" }] }, "seen")).text).toBe("[ ] stays\n[ ] a b\n0 of 2 done");
    expect(before.isError).toBe(false);
  });
});

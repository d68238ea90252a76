import { describe, expect, it } from "vitest";
import { isAlive, until } from "../run-cli.ts";
import { bash, chats, READY } from "./chats.ts";
import { hasTmux } from "./pane.ts";

const t = chats();

describe.runIf(hasTmux)("the terminal of a chat", { timeout: 180_000 }, () => {
  it("leaves the terminal as it was, and says how to go on", async () => {
    const chat = await t.open();
    await chat.send("hello there");
    await chat.until("You said: hello there");
    await chat.press("C-d");
    const screen = await chat.until("[terminal as before]");
    expect(screen).toMatch(/`mortise --continue` goes on with it\.\n\[exit 0\]/);
    expect(await chat.cursor()).toBe(true);
    const written = await chat.written();
    expect(written.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(written.lastIndexOf("\u001b[?2004h"));
    expect(await chat.everything()).toContain("EARLIER");
  });

  it("is readable in 40 columns, also after the terminal became smaller", async () => {
    const chat = await t.open();
    await chat.send("words that are many enough to need more than one line of forty columns");
    await chat.until("You said: words");
    await chat.resize(40, 20);
    const screen = await chat.until((shown) => /^> words that are many enough to need$/m.test(shown) && /^─{40}$/m.test(shown));
    expect(screen).not.toMatch(/─{41}/);
    await chat.send(bash("echo narrow"));
    expect(await chat.until(/Escape\s+denies/)).toContain("command: echo narrow");
  });

  it("writes no colour with NO_COLOR", async () => {
    const chat = await t.open(["--model", "fake/fake-1"], { env: { NO_COLOR: "1" } });
    await chat.send(JSON.stringify({ kind: "text", text: "# Title\n\n`code` and **bold**" }));
    await chat.until("code and bold");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    expect(await chat.written()).not.toMatch(/\u001b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m/);
  });

  it("lets no text of a model steer the terminal", async () => {
    const chat = await t.open();
    const text = "\u001b]52;c;aGk=\u0007\u001b]0;title\u0007\u001b[2J\u009b31mred\u202eback &#27;[31m end-of-it";
    const typed = JSON.stringify({ kind: "text", text }).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    await chat.send(typed);
    const screen = await chat.until((shown) => /end-of-it\s*\n─/.test(shown));
    expect(screen).toContain("EARLIER");
    expect(screen).toContain("\\u{1b}]52;c;aGk=");
    const written = await chat.written();
    expect(written).not.toContain("\u001b]52");
    expect(written).not.toContain("\u001b]0;");
    expect(written).not.toContain("\u009b");
    expect(written).not.toContain("\u202e");
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("restores the terminal and ends what runs on %s", async (signal, code) => {
    const chat = await t.open(["--model", "fake/fake-1", "--yolo"]);
    await chat.send(bash("echo $PPID > host; echo $$ > pid; exec sleep 300"));
    const pid = await t.pidIn("pid");
    process.kill((await chat.pid()) ?? 0, signal);
    await chat.until(`[exit ${code}]`);
    await chat.until("[terminal as before]");
    expect(await chat.cursor()).toBe(true);
    await until(() => !isAlive(pid), "the end of sleep");
  });

  it("ends on a signal that came while it was loaded", async () => {
    const soon = `process.once("SIGTERM", () => {}); process.kill(process.pid, "SIGTERM");
      import("node:process").then(() => setImmediate(() => process.kill(process.pid, "SIGTERM")));`;
    const began = performance.now();
    const pane = await t.start(["--model", "fake/fake-1"], { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(soon)}` } });
    const screen = await pane.until("[terminal as before]");
    expect(screen).toContain("[exit 143]");
    // By itself, and not since it took too long to end.
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it("restores the terminal when something inside breaks", async () => {
    const breaks = `import { existsSync } from "node:fs";
      setInterval(() => { if (existsSync("break")) throw new Error("broken on purpose"); }, 50).unref();`;
    const pane = await t.start(["--model", "fake/fake-1"], { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaks)}` } });
    await pane.until(READY);
    await t.here.write("project/break", "");
    const screen = await pane.until("[terminal as before]");
    expect(screen).toContain("[exit 1]");
    expect(screen).toContain("broken on purpose");
    expect(await pane.cursor()).toBe(true);
  });

  it("clears the prompt on Ctrl+C, and leaves on the second one", async () => {
    const chat = await t.open();
    await chat.write("half a thought");
    await chat.until("half a thought");
    await chat.press("C-c");
    await chat.until((screen) => !screen.includes("half a thought"));
    await chat.press("C-c");
    await chat.until("Ctrl+C once more leaves.");
    await chat.press("C-c");
    await chat.until("[exit 0]");
  });

  it("leaves on Ctrl+C also where what runs does not stop", async () => {
    const chat = await t.open(["--model", "fake/fake-1", "--yolo"]);
    await chat.send(bash("trap '' TERM INT; echo $$ > pid; while :; do sleep 1; done"));
    const pid = await t.pidIn("pid");
    for (let i = 0; i < 3; i++) await chat.press("C-c");
    await chat.until("[exit 0]");
    expect(isAlive(pid)).toBe(false);
  });

  it("leaves the terminal to the shell on Ctrl+Z, and comes back with what was typed", async () => {
    const chat = await t.open(["--model", "fake/fake-1"], { jobs: true });
    await chat.write("half a thought");
    await chat.until("half a thought");
    await chat.press("C-z");
    await chat.until(/\[stopped\]\n\[terminal as before\]/);
    expect(await chat.cursor()).toBe(true);
    await chat.press("Enter");
    await chat.until((screen) => !screen.includes("[stopped]") && screen.includes("half a thought"));
    await chat.write(" and the rest");
    await chat.press("Enter");
    await chat.until("> half a thought and the rest");
    await chat.press("C-z");
    await chat.until("[exit 148]");
  });

  it("goes on with the terminal after it was stopped by force", async () => {
    const chat = await t.open(["--model", "fake/fake-1"], { jobs: true });
    process.kill((await chat.pid()) ?? 0, "SIGSTOP");
    await chat.until("[stopped]");
    // The terminal is as the chat had it: Enter is no end of a line there.
    await chat.press("C-j");
    await chat.until((screen) => !screen.includes("[stopped]") && READY.test(screen));
    await chat.send("are you there");
    await chat.until("> are you there");
    await chat.press("C-d");
    await chat.until("[exit 0]");
  });

  it("goes on at once where no shell could bring it back", async () => {
    const chat = await t.open();
    await chat.press("C-z");
    await until(async () => (await chat.written()).split("\u001b[?2004h").length === 3, "the chat that takes the terminal back");
    await chat.send("are you there");
    await chat.until("> are you there");
  });

  it("shows all of an answer that came while the terminal had no room", async () => {
    const chat = await t.open();
    await chat.resize(10, 3);
    await chat.write("hello");
    await chat.press("Enter");
    await chat.until(/hello|answering|fake/);
    await chat.resize(80, 24);
    await chat.until((screen) => screen.includes("> hello") && READY.test(screen));
  });

  it("refuses a terminal that cannot show it, and says what to do", async () => {
    const pane = await t.start([], { env: { TERM: "dumb" } });
    expect((await pane.until("[exit 2]")).replaceAll("\n", " ")).toContain("`mortise run");
    const { code, stderr } = await t.here.run(["chat"]);
    expect(code).toBe(2);
    expect(stderr).toContain("mortise run");
  });
});

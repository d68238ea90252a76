import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive, until } from "../run-cli.ts";
import { bash, chats } from "./chats.ts";
import { hasTmux } from "./pane.ts";

const t = chats();

describe.runIf(hasTmux)("mortise, on a terminal", { timeout: 180_000 }, () => {
  it("answers without a model by its rules, and says how to add one", async () => {
    await Promise.all([t.here.write("project/src/a.ts", ""), t.here.write("project/src/b.ts", "")]);
    const chat = await t.open([]);
    expect(await chat.screen()).toContain("No language model is set up");
    await chat.send("how many TypeScript files are in src?");
    const screen = await chat.until("2 TypeScript files");
    expect(screen).toContain("> how many TypeScript files are in src?");
    expect(screen).toMatch(/\* glob src\n {2}ok/);
  });

  it("stops what runs on Escape, keeps what it printed, and leaves no process", async () => {
    const chat = await t.open(["--model", "fake/fake-1", "--yolo"]);
    expect(await chat.screen()).toContain("yolo");
    await chat.send(bash("echo started; echo $$ > pid; exec sleep 300"));
    await chat.until(/running.*\n {2}\| started/);
    const pid = await t.pidIn("pid");
    await chat.press("Escape");
    const screen = await chat.until("The run was cancelled.");
    expect(screen).toContain("| started");
    await until(() => !isAlive(pid), "the end of sleep");
    await chat.send("still there?");
    await chat.until("You said: still there?");
  });

  it("takes a paste of many lines as one message", async () => {
    const chat = await t.open();
    await chat.paste("first\nsecond\nthird");
    const typed = await chat.until("third");
    expect(typed).not.toContain("You said");
    await chat.press("Enter");
    await chat.until(/You said: first\s+second\s+third/);
    await chat.paste(Array.from({ length: 50 }, (_, i) => `line ${i}`).join("\n"));
    await chat.until("[paste #1 +50 lines]");
    await chat.press("Enter");
    await chat.until("line 49");
  });

  it("sends nothing that a paste ends by itself", async () => {
    const chat = await t.open();
    await chat.write("\u001b[200~innocent\u001b[201~\r!touch made\r");
    await chat.until("innocent");
    await chat.write(" end");
    expect(await chat.until("made end")).not.toContain("> innocent");
    await chat.press("C-c");
    await chat.until((screen) => !screen.includes("innocent"));
  });

  it("goes on with the last session, and shows what was said", async () => {
    const first = await t.open();
    await first.send("remember me");
    await first.until("You said: remember me");
    await first.press("C-d");
    await first.until("[exit 0]");
    await first.close();
    const chat = await t.open(["--model", "fake/fake-1", "--continue"]);
    const screen = await chat.until("You said: remember me");
    expect(screen).toContain("> remember me");
    expect(screen).toContain('Going on with "remember me"');
  });

  it("says where a session was begun that goes on in another folder", async () => {
    const chat = await t.open();
    await chat.send("hello there");
    await chat.until("You said: hello there");
    await chat.press("C-d");
    const [, session = ""] = /Session (\S+)\./.exec(await chat.until("[exit 0]")) ?? [];
    await chat.close();
    await t.here.write("elsewhere/file", "");
    const other = await t.open(["--model", "fake/fake-1", "--session", session, "--cwd", join(t.here.home, "../elsewhere")]);
    expect((await other.everything()).replace(/\s+/g, " ")).toMatch(/This session was begun in \S+\/project\. Tools run in \S+\/elsewhere now\./);
  });

  it("sends what is typed meanwhile once there is a turn for it", async () => {
    const chat = await t.open();
    await chat.send(JSON.stringify({ kind: "slow", text: "one two three four five six seven eight", everyMs: 250 }));
    await chat.until("one two");
    await chat.send("and this");
    await chat.until("to be sent: and this");
    const screen = await chat.until(/> and this\n[\s\S]*and this[\s\S]*─/);
    expect(screen).toContain("one two three four five six seven eight");
  });

  it("gives back what was not sent yet where the run is stopped", async () => {
    const chat = await t.open();
    await chat.send(JSON.stringify({ kind: "slow", text: "one two three four five six seven eight nine ten", everyMs: 1_000 }));
    await chat.until("one");
    await chat.send("for later");
    await chat.until("to be sent: for later");
    await chat.press("Escape");
    expect(await chat.until(/─\nfor later\n─/)).toContain("The run was cancelled.");
  });

  it("opens for a run without a prompt, and finds what was said in earlier chats", async () => {
    const chat = await t.open(["run", "--model", "fake/fake-1"]);
    await chat.send("said before");
    await chat.until("You said: said before");
    await chat.send("/new");
    await chat.until("A new session.");
    await chat.press("Up");
    await chat.until(/─\n\/new\n─/);
    await chat.press("Up");
    await chat.until(/─\nsaid before\n─/);
  });

  it("shows a long result whole when it is asked for it", async () => {
    const chat = await t.open(["--model", "fake/fake-1", "--yolo"]);
    await chat.send(bash("seq 1 12"));
    const short = await chat.until("All is done.");
    expect(short).toMatch(/\| 4\n {2}8 more lines \(Ctrl\+O shows all\)/);
    await chat.press("C-o");
    await chat.until(/\| 11\n {2}\| 12\n/);
  });
});

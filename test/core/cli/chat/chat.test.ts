import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ModelServer } from "../../../fake-servers/model-server.ts";
import { isAlive, type Scratch, scratch, until } from "../run-cli.ts";
import { hasTmux, openPane, type Pane } from "./pane.ts";
import { startToldServer } from "./told-server.ts";

const READY = /─{20}\n[\s\S]*(fake\/fake-1|embedded\/scripted)/;

let server: ModelServer;
let here: Scratch;
let pane: Pane | undefined;
beforeAll(async () => {
  server = await startToldServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  here = await scratch();
  await here.write("home/config/config.jsonc", JSON.stringify({ models: { providers: { fake: { url: server.url } } } }));
});
afterEach(async () => {
  await pane?.close();
  pane = undefined;
  await here.remove();
});

async function open(words: readonly string[] = ["--model", "fake/fake-1"], options: Parameters<typeof openPane>[2] = {}): Promise<Pane> {
  pane = await openPane(here, words, options);
  await pane.until(READY);
  return pane;
}

const calls = (...all: { tool: string; input: unknown }[]) => JSON.stringify({ kind: "calls", calls: all });
const bash = (command: string) => calls({ tool: "bash", input: { command } });
const pidIn = async (name: string) => Number((await readFile(join(here.folder, name), "utf8").catch(() => "")).trim());

describe.runIf(hasTmux)("mortise, on a terminal", { timeout: 180_000 }, () => {
  it("answers without a model by its rules, and says how to add one", async () => {
    await Promise.all([here.write("project/src/a.ts", ""), here.write("project/src/b.ts", "")]);
    const chat = await open([]);
    expect(await chat.screen()).toContain("No language model is set up");
    await chat.send("how many TypeScript files are in src?");
    const screen = await chat.until("2 TypeScript files");
    expect(screen).toContain("> how many TypeScript files are in src?");
    expect(screen).toMatch(/\* glob src\n {2}ok/);
  });

  it("leaves the terminal as it was, and says how to go on", async () => {
    const chat = await open();
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

  it("lets a call run once, and says who allowed it", async () => {
    const chat = await open();
    await chat.send(bash("echo from-the-tool"));
    const asked = await chat.until("Allow bash?");
    expect(asked).toContain("command: echo from-the-tool");
    expect(asked).toContain("allow bash: echo *");
    await answerWith(chat, "1");
    const screen = await chat.until("All is done.");
    expect(screen).toMatch(/ok.*allowed by you\n {2}\| from-the-tool/);
    expect(existsSync(join(here.home, "config", "permissions.jsonc"))).toBe(false);
  });

  it("takes no key that was typed before the question for its answer", async () => {
    const chat = await open();
    await chat.write(bash("echo never > made"));
    await chat.until("made");
    // All in one go: what comes after Enter is typed before the question is there.
    await chat.press("Enter", "1", "1", "1", "Enter", "Enter");
    await chat.until("Allow bash?");
    await chat.press("Escape");
    await chat.until((screen) => !screen.includes("Allow bash?") || screen.includes("Escape denies"));
    if ((await chat.screen()).includes("Allow bash?")) await answerWith(chat, "Escape");
    await chat.until("denied by you");
    expect(existsSync(join(here.folder, "made"))).toBe(false);
  });

  it("denies with words for the model", async () => {
    const chat = await open();
    await chat.send(bash("echo no"));
    await chat.until("Allow bash?");
    await answerWith(chat, "5");
    await chat.until("What should the model do instead?");
    await chat.write("use the read tool");
    await chat.until("> use the read tool");
    await chat.press("Enter");
    const screen = await chat.until("All is done.");
    expect(screen).toContain("denied by you");
    expect(screen).toContain("use the read tool");
  });

  it("shows the rule and its file before it keeps it", async () => {
    const chat = await open();
    await chat.send(bash("echo kept"));
    await chat.until("Allow bash?");
    await answerWith(chat, "3");
    const shown = (await chat.until("Everywhere, for you:")).replace(/\n {4,}/g, "");
    expect(shown).toContain("allow bash: echo *");
    expect(shown).toContain(join(here.home, "config", "permissions.jsonc"));
    expect(existsSync(join(here.home, "config", "permissions.jsonc"))).toBe(false);
    await chat.press("2");
    await chat.until("All is done.");
    expect(await readFile(join(here.home, "config", "permissions.jsonc"), "utf8")).toContain('"pattern": "echo *"');
    await chat.send(bash("echo again"));
    expect(await chat.until((screen) => screen.split("All is done.").length === 3)).toContain("| again");
  });

  it("shows all of a long command before it is allowed", async () => {
    const chat = await open();
    await chat.send(bash(`${Array.from({ length: 60 }, (_, i) => `echo ${i}`).join("\n")}\n# the-middle`.replace("echo 30", "rm -rf ./thirty")));
    const cut = await chat.until("lines are not shown here");
    expect(cut).not.toContain("|   rm -rf");
    await chat.until("Escape denies");
    const shown = "|   rm -rf ./thirty";
    for (let pages = 0; pages < 30 && !(await chat.screen()).includes(shown); pages++) {
      const before = pageOf(await chat.screen());
      await answerWith(chat, "PageDown");
      await chat.until((screen) => pageOf(screen) !== before);
    }
    expect(await chat.screen()).toContain(shown);
    await chat.press("Escape");
    await chat.until("denied by you");
  });

  it("stops what runs on Escape, keeps what it printed, and leaves no process", async () => {
    const chat = await open(["--model", "fake/fake-1", "--yolo"]);
    expect(await chat.screen()).toContain("yolo");
    await chat.send(bash("echo started; echo $$ > pid; exec sleep 300"));
    await chat.until(/running.*\n {2}\| started/);
    const pid = await pidIn("pid");
    await chat.press("Escape");
    const screen = await chat.until("The run was cancelled.");
    expect(screen).toContain("| started");
    await until(() => !isAlive(pid), "the end of sleep");
    await chat.send("still there?");
    await chat.until("You said: still there?");
  });

  it("takes a paste of many lines as one message", async () => {
    const chat = await open();
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
    const chat = await open();
    await chat.write("\u001b[200~innocent\u001b[201~\r!touch made\r");
    await chat.until("innocent");
    await chat.write(" end");
    expect(await chat.until("made end")).not.toContain("> innocent");
    await chat.press("C-c");
    await chat.until((screen) => !screen.includes("innocent"));
  });

  it("is readable in 40 columns, also after the terminal became smaller", async () => {
    const chat = await open();
    await chat.send("words that are many enough to need more than one line of forty columns");
    await chat.until("You said: words");
    await chat.resize(40, 20);
    const screen = await chat.until((shown) => /^> words that are many enough to need$/m.test(shown) && /^─{40}$/m.test(shown));
    expect(screen).not.toMatch(/─{41}/);
    await chat.send(bash("echo narrow"));
    expect(await chat.until(/Escape\s+denies/)).toContain("command: echo narrow");
  });

  it("writes no colour with NO_COLOR", async () => {
    const chat = await open(["--model", "fake/fake-1"], { env: { NO_COLOR: "1" } });
    await chat.send(JSON.stringify({ kind: "text", text: "# Title\n\n`code` and **bold**" }));
    await chat.until("code and bold");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    expect(await chat.written()).not.toMatch(/\u001b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m/);
  });

  it("goes on with the last session, and shows what was said", async () => {
    const first = await open();
    await first.send("remember me");
    await first.until("You said: remember me");
    await first.press("C-d");
    await first.until("[exit 0]");
    await first.close();
    const chat = await open(["--model", "fake/fake-1", "--continue"]);
    const screen = await chat.until("You said: remember me");
    expect(screen).toContain("> remember me");
    expect(screen).toContain('Going on with "remember me"');
  });

  it("says where a session was begun that goes on in another folder", async () => {
    const chat = await open();
    await chat.send("hello there");
    await chat.until("You said: hello there");
    await chat.press("C-d");
    const [, session = ""] = /Session (\S+)\./.exec(await chat.until("[exit 0]")) ?? [];
    await chat.close();
    await here.write("elsewhere/file", "");
    const other = await open(["--model", "fake/fake-1", "--session", session, "--cwd", join(here.home, "../elsewhere")]);
    expect((await other.everything()).replace(/\s+/g, " ")).toMatch(/This session was begun in \S+\/project\. Tools run in \S+\/elsewhere now\./);
  });

  it("sends what is typed meanwhile once there is a turn for it", async () => {
    const chat = await open();
    await chat.send(JSON.stringify({ kind: "slow", text: "one two three four five six seven eight", everyMs: 250 }));
    await chat.until("one two");
    await chat.send("and this");
    await chat.until("to be sent: and this");
    const screen = await chat.until(/> and this\n[\s\S]*and this[\s\S]*─/);
    expect(screen).toContain("one two three four five six seven eight");
  });

  it("gives back what was not sent yet where the run is stopped", async () => {
    const chat = await open();
    await chat.send(JSON.stringify({ kind: "slow", text: "one two three four five six seven eight nine ten", everyMs: 1_000 }));
    await chat.until("one");
    await chat.send("for later");
    await chat.until("to be sent: for later");
    await chat.press("Escape");
    expect(await chat.until(/─\nfor later\n─/)).toContain("The run was cancelled.");
  });

  it("lets a tool ask, and gives it the answer", async () => {
    const chat = await open();
    const questions = [{ question: "Which database?", header: "Database", options: [{ label: "SQLite" }, { label: "Postgres" }] }];
    await chat.send(calls({ tool: "question", input: { questions } }));
    expect(await chat.until("Which database?")).toContain("question asks you");
    await answerWith(chat, "2");
    expect(await chat.until("All is done.")).toContain("| Database: Postgres");
  });

  it("opens for a run without a prompt, and finds what was said in earlier chats", async () => {
    const chat = await open(["run", "--model", "fake/fake-1"]);
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
    const chat = await open(["--model", "fake/fake-1", "--yolo"]);
    await chat.send(bash("seq 1 12"));
    const short = await chat.until("All is done.");
    expect(short).toMatch(/\| 4\n {2}8 more lines \(Ctrl\+O shows all\)/);
    await chat.press("C-o");
    await chat.until(/\| 11\n {2}\| 12\n/);
  });

  it("lets no text of a model steer the terminal", async () => {
    const chat = await open();
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
    const chat = await open(["--model", "fake/fake-1", "--yolo"]);
    await chat.send(bash("echo $PPID > host; echo $$ > pid; exec sleep 300"));
    await until(async () => (await pidIn("pid")) > 0, "the command");
    const pid = await pidIn("pid");
    process.kill((await chat.pid()) ?? 0, signal);
    await chat.until(`[exit ${code}]`);
    await chat.until("[terminal as before]");
    expect(await chat.cursor()).toBe(true);
    await until(() => !isAlive(pid), "the end of sleep");
  });

  it("denies what is asked when the terminal goes", async () => {
    const chat = await open();
    await chat.send(bash("echo made > made"));
    await chat.until("Allow bash?");
    await chat.close();
    expect(existsSync(join(here.folder, "made"))).toBe(false);
  });

  it("ends on a signal that came while it was loaded", async () => {
    const soon = `process.once("SIGTERM", () => {}); process.kill(process.pid, "SIGTERM");
      import("node:process").then(() => setImmediate(() => process.kill(process.pid, "SIGTERM")));`;
    const began = performance.now();
    pane = await openPane(here, ["--model", "fake/fake-1"], { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(soon)}` } });
    const screen = await pane.until("[terminal as before]");
    expect(screen).toContain("[exit 143]");
    // By itself, and not since it took too long to end.
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it("restores the terminal when something inside breaks", async () => {
    const breaks = `import { existsSync } from "node:fs";
      setInterval(() => { if (existsSync("break")) throw new Error("broken on purpose"); }, 50).unref();`;
    pane = await openPane(here, ["--model", "fake/fake-1"], { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaks)}` } });
    await pane.until(READY);
    await here.write("project/break", "");
    const screen = await pane.until("[terminal as before]");
    expect(screen).toContain("[exit 1]");
    expect(screen).toContain("broken on purpose");
    expect(await pane.cursor()).toBe(true);
  });

  it("clears the prompt on Ctrl+C, and leaves on the second one", async () => {
    const chat = await open();
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
    const chat = await open(["--model", "fake/fake-1", "--yolo"]);
    await chat.send(bash("trap '' TERM INT; echo $$ > pid; while :; do sleep 1; done"));
    await until(() => pidIn("pid").then((pid) => pid > 0), "the command");
    for (let i = 0; i < 3; i++) await chat.press("C-c");
    await chat.until("[exit 0]");
    expect(isAlive(await pidIn("pid"))).toBe(false);
  });

  it("leaves the terminal to the shell on Ctrl+Z, and comes back with what was typed", async () => {
    const chat = await open(["--model", "fake/fake-1"], { jobs: true });
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
    const chat = await open(["--model", "fake/fake-1"], { jobs: true });
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
    const chat = await open();
    await chat.press("C-z");
    await until(async () => (await chat.written()).split("\u001b[?2004h").length === 3, "the chat that takes the terminal back");
    await chat.send("are you there");
    await chat.until("> are you there");
  });

  it("shows all of an answer that came while the terminal had no room", async () => {
    const chat = await open();
    await chat.resize(10, 3);
    await chat.write("hello");
    await chat.press("Enter");
    await chat.until(/hello|answering|fake/);
    await chat.resize(80, 24);
    await chat.until((screen) => screen.includes("> hello") && READY.test(screen));
  });

  it("refuses a terminal that cannot show it, and says what to do", async () => {
    pane = await openPane(here, [], { env: { TERM: "dumb" } });
    expect((await pane.until("[exit 2]")).replaceAll("\n", " ")).toContain("`mortise run");
    const { code, stderr } = await here.run(["chat"]);
    expect(code).toBe(2);
    expect(stderr).toContain("mortise run");
  });
});

/** A question takes keys a moment after it came, so one may be too early. */
/** Which lines of a long question are there. */
const pageOf = (screen: string): string | undefined => /lines \d+ to \d+ of \d+/.exec(screen)?.[0];

async function answerWith(chat: Pane, key: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 700));
  await chat.press(key);
}

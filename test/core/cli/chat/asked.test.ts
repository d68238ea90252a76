import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, calls, chats } from "./chats.ts";
import { hasTmux, type Pane } from "./pane.ts";

const t = chats();

describe.runIf(hasTmux)("what a person is asked in a chat", { timeout: 180_000 }, () => {
  it("lets a call run once, and says who allowed it", async () => {
    const chat = await t.open();
    await chat.send(bash("echo from-the-tool"));
    const asked = await chat.until("Allow bash?");
    expect(asked).toContain("command: echo from-the-tool");
    expect(asked).toContain("allow bash: echo *");
    await answerWith(chat, "1");
    const screen = await chat.until("All is done.");
    expect(screen).toMatch(/ok.*allowed by you\n {2}\| from-the-tool/);
    expect(existsSync(join(t.here.home, "config", "permissions.jsonc"))).toBe(false);
  });

  it("takes no key that was typed before the question for its answer", async () => {
    const chat = await t.open();
    await chat.write(bash("echo never > made"));
    await chat.until("made");
    // All in one go: what comes after Enter is typed before the question is there.
    await chat.press("Enter", "1", "1", "1", "Enter", "Enter");
    await chat.until("Allow bash?");
    await chat.press("Escape");
    await chat.until((screen) => !screen.includes("Allow bash?") || screen.includes("Escape denies"));
    if ((await chat.screen()).includes("Allow bash?")) await answerWith(chat, "Escape");
    await chat.until("denied by you");
    expect(existsSync(join(t.here.folder, "made"))).toBe(false);
  });

  it("denies with words for the model", async () => {
    const chat = await t.open();
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
    const chat = await t.open();
    await chat.send(bash("echo kept"));
    await chat.until("Allow bash?");
    await answerWith(chat, "3");
    const shown = (await chat.until("Everywhere, for you:")).replace(/\n {4,}/g, "");
    expect(shown).toContain("allow bash: echo *");
    expect(shown).toContain(join(t.here.home, "config", "permissions.jsonc"));
    expect(existsSync(join(t.here.home, "config", "permissions.jsonc"))).toBe(false);
    await chat.press("2");
    await chat.until("All is done.");
    expect(await readFile(join(t.here.home, "config", "permissions.jsonc"), "utf8")).toContain('"pattern": "echo *"');
    await chat.send(bash("echo again"));
    expect(await chat.until((screen) => screen.split("All is done.").length === 3)).toContain("| again");
  });

  it("shows all of a long command before it is allowed", async () => {
    const chat = await t.open();
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

  it("lets a tool ask, and gives it the answer", async () => {
    const chat = await t.open();
    const questions = [{ question: "Which database?", header: "Database", options: [{ label: "SQLite" }, { label: "Postgres" }] }];
    await chat.send(calls({ tool: "question", input: { questions } }));
    expect(await chat.until("Which database?")).toContain("question asks you");
    await answerWith(chat, "2");
    expect(await chat.until("All is done.")).toContain("| Database: Postgres");
  });

  it("denies what is asked when the terminal goes", async () => {
    const chat = await t.open();
    await chat.send(bash("echo made > made"));
    await chat.until("Allow bash?");
    await chat.close();
    expect(existsSync(join(t.here.folder, "made"))).toBe(false);
  });
});

/** Which lines of a long question are there. */
const pageOf = (screen: string): string | undefined => /lines \d+ to \d+ of \d+/.exec(screen)?.[0];

/** A question takes keys a moment after it came, so one may be too early. */
async function answerWith(chat: Pane, key: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 700));
  await chat.press(key);
}

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCommands } from "../../../../../core/cli/chat/commands/commands.ts";
import { createSubmit } from "../../../../../core/cli/chat/commands/submit.ts";
import { userFolders } from "../../../../../core/config/folders.ts";
import { createSessions } from "../../../../../core/session/sessions.ts";
import { createTraces } from "../../../../../core/traces.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { type Chat, chatWith } from "../chat-with.ts";

const plugin = (name: string, body: string) => ({
  name: `${name}.ts`,
  source: `import { definePlugin } from "mortise/sdk";\nexport default definePlugin({ name: "${name}" }, (api) => { ${body} });`,
});

async function typed({ control }: Chat, text: string): Promise<string | undefined> {
  const [, name = "", args = ""] = /^\/(\S+)\s*(.*)$/.exec(text) ?? [];
  const command = createCommands(control).find(name);
  if (command === undefined) throw new Error(`no ${name}`);
  return command.run(args, control, new AbortController().signal);
}

describe("createCommands()", () => {
  it("has these commands, each with what it does", async () => {
    const { control } = await chatWith();
    const commands = createCommands(control);
    expect(commands.all().map(({ name }) => name)).toEqual([
      "help",
      "model",
      "compact",
      "new",
      "clear",
      "sessions",
      "continue",
      "fork",
      "tools",
      "slots",
      "plugins",
      "permissions",
      "trace",
      "cost",
      "yolo",
      "export",
      "quit",
      "exit",
    ]);
    expect(commands.all().every(({ description, source }) => description.length > 10 && source === "mortise")).toBe(true);
    expect(commands.find("MODEL")?.name).toBe("model");
    expect(commands.find("modle")).toBeUndefined();
    expect(commands.close("modle")).toEqual(["model"]);
  });

  it("adds those of plugins, by their plugin's name where Mortise has one of that name", async () => {
    const chat = await chatWith({
      plugins: [
        plugin(
          "mine",
          `api.registerCommand({ name: "help", description: "Other help.", run: () => "other" }); api.registerCommand({ name: "count", description: "Counts.", run: (args) => String(args.length) });`,
        ),
      ],
    });
    const own = createCommands(chat.control)
      .all()
      .filter(({ source }) => source === "mine");
    expect(own.map(({ name, description }) => [name, description])).toEqual([
      ["mine:help", "Other help."],
      ["count", "Counts."],
    ]);
    expect(await typed(chat, "/mine:help")).toBe("other");
    expect(await typed(chat, "/count four")).toBe("4");
    expect(await typed(chat, "/help")).toMatch(/\/mine:help +Other help\. \(mine\)/);
  });
});

describe("the commands of a chat", () => {
  it("show and change the model", async () => {
    const chat = await chatWith();
    expect(await typed(chat, "/model")).toMatch(/^The model is embedded\/chaos\.\n(.|\n)*embedded\/scripted/);
    expect(await typed(chat, "/model some/other")).toBe("The next request goes to some/other.");
    expect(await typed(chat, "/model weak")).toMatch(/^No weak model of some is known/);
  });

  it("begin, list, open and copy sessions", async () => {
    const chat = await chatWith();
    expect(await typed(chat, "/sessions")).toBe("There are no sessions of this folder yet.");
    expect(await typed(chat, "/fork")).toMatch(/^Nothing was said yet/);
    await expect(typed(chat, "/continue")).rejects.toMatchObject({ code: "no_session" });
    const other = await createSessions(chat.state).create({ model: "embedded/chaos", backend: "ai-sdk", cwd: chat.folder });
    await other.append({ role: "user", text: "Bell\u0007 the cat" });
    await other.close();
    expect(await typed(chat, "/sessions")).toMatch(new RegExp(`1  ${other.id}  .*  interrupted  Bell\\\\u\\{7\\} the cat`));
    await typed(chat, "/sessions 1");
    await typed(chat, `/sessions ${other.id.slice(0, 8)}`);
    await typed(chat, "/continue");
    expect(chat.did).toEqual([
      ["open", other.id],
      ["open", other.id],
      ["open", other.id],
    ]);
    for await (const _ of chat.control.agent.run({ text: "Hello", source: "terminal" }).events);
    await typed(chat, "/fork");
    const [, copy] = chat.did.at(-1) as [string, string];
    expect((await createSessions(chat.state).read(copy)).state.header.forkedFrom).toBe(chat.control.sessionId);
    await expect(typed(chat, `/sessions ${chat.control.sessionId}`)).rejects.toThrow();
  });

  it("pass on words for the summary, begin anew, and leave", async () => {
    const chat = await chatWith();
    await typed(chat, "/new");
    await typed(chat, "/clear");
    await typed(chat, "/compact keep the plan");
    await typed(chat, "/quit");
    expect(chat.did).toEqual([["new"], ["new"], ["compact", "keep the plan"], ["exit"]]);
  });

  it("show tools, slots and plugins", async () => {
    const chat = await chatWith({ builtins: true, plugins: [plugin("guard", `api.setSlot("completion.sources", (prev) => prev());`)] });
    expect(await typed(chat, "/tools")).toMatch(/^bash +bash +/m);
    expect(await typed(chat, "/tools read")).toMatch(/^read, of read; a layer on it costs fs_read/);
    await expect(typed(chat, "/tools raed")).rejects.toThrow(/did you mean "read"/);
    expect(await typed(chat, "/slots")).toMatch(/completion\.sources +1 +guard +skipped when it fails/);
    expect(await typed(chat, "/slots bash")).toBe("Nothing stands at bash.");
    expect(await typed(chat, "/plugins")).toMatch(/^guard +embedded +granted nothing/m);
  });

  it("list the rules of the session and take one back, for calls and for later", async () => {
    const chat = await chatWith({
      builtins: true,
      rules: [{ tool: "bash", pattern: "echo *", effect: "allow" }],
      ask: async () => ({ decision: "deny" }),
    });
    await chat.control.session.set({ rules: [{ tool: "bash", pattern: "echo *", effect: "allow" }] });
    expect((await chat.control.host.call({ tool: "bash", input: { command: "echo hi" } })).ran).toBe(true);
    expect(await typed(chat, "/permissions")).toMatch(/^1 +allow +bash +echo \*/m);
    expect(await typed(chat, "/permissions revoke 2")).toMatch(/^There is no such rule/);
    expect(await typed(chat, "/permissions revoke 1")).toMatch(/^Taken back: allow bash echo \*/);
    expect((await chat.control.host.call({ tool: "bash", input: { command: "echo hi" } })).ran).toBe(false);
    expect(chat.control.session.state.rules).toEqual([]);
    expect(await typed(chat, "/permissions")).toMatch(/^This session has no rules of its own/);
  });

  it("take back what was answered for the session", async () => {
    const chat = await chatWith({ builtins: true, ask: async () => ({ decision: "allow", remember: "session" }) });
    await chat.control.host.call({ tool: "bash", input: { command: "echo hi" } });
    expect(chat.control.host.sessionRules()).toMatchObject([{ tool: "bash", effect: "allow", from: "an answer" }]);
    await typed(chat, "/permissions revoke 1");
    expect(chat.control.host.sessionRules()).toEqual([]);
  });

  it("warn of yolo and end it", async () => {
    const chat = await chatWith();
    expect(await typed(chat, "/yolo")).toMatch(/^Yolo is off/);
    expect(await typed(chat, "/yolo on")).toMatch(/without asking/);
    expect(chat.control.yolo.isOn()).toBe(true);
    expect(await typed(chat, "/yolo perhaps")).toMatch(/nothing was changed/);
    expect(await typed(chat, "/permissions")).toMatch(/^Yolo is on/);
    await typed(chat, "/yolo off");
    expect(chat.control.yolo.isOn()).toBe(false);
  });

  it("show calls, and what one of them came to", async () => {
    const chat = await chatWith({ builtins: true, yolo: true });
    expect(await typed(chat, "/trace")).toBe("No tool was called in this session yet.");
    await chat.control.host.call({ tool: "bash", input: { command: "echo hi" } });
    await waitUntil(async () => /^1 {2}bash {2}ran /m.test((await typed(chat, "/trace")) ?? ""));
    expect(await typed(chat, "/trace 1")).toMatch(/^bash \{"command":"echo hi"\}\n(.|\n)*permission allow \(yolo\)/);
    expect(await typed(chat, "/trace 9")).toMatch(/^There is no call "9"/);
  });

  it("take a number for a place in the trace, also where the id of another call begins so", async () => {
    const chat = await chatWith();
    const traces = createTraces(join(userFolders().state, "sessions"));
    const { sessionId } = chat.control;
    const record = await chat.control.host.call({ tool: "nothing", input: {} });
    await waitUntil(async () => (await typed(chat, "/trace"))?.includes("nothing") === true);
    for (const [toolId, tool] of [
      ["3a-first", "one"],
      ["9b-second", "two"],
    ] as const)
      traces.append({ ...record, sessionId, toolId, tool });
    await traces.close();
    const told = async (what: string) => (await typed(chat, `/trace ${what}`))?.split(" ")[0];
    expect([await told("1"), await told("2"), await told("3"), await told("9b")]).toEqual(["nothing", "one", "two", "two"]);
    expect(await typed(chat, "/trace 9")).toMatch(/^There is no call "9"/);
  });

  it("show what was used, and write the session to a new file", async () => {
    const chat = await chatWith();
    expect(await typed(chat, "/cost")).toMatch(/^No model was asked yet/);
    expect(await typed(chat, "/export")).toBe("Nothing was said yet.");
    for await (const _ of chat.control.agent.run({ text: "Hello", source: "terminal" }).events);
    expect(await typed(chat, "/cost")).toMatch(/^embedded\/chaos .* in .* out (.|\n)*Together: /);
    expect(await typed(chat, "/export talk.md")).toBe(`Written to ${join(chat.folder, "talk.md")}.`);
    expect(await readFile(join(chat.folder, "talk.md"), "utf8")).toContain("Hello");
    await expect(typed(chat, "/export talk.md")).rejects.toMatchObject({ code: "file_failed" });
    await typed(chat, "/export talk.json");
    expect(JSON.parse(await readFile(join(chat.folder, "talk.json"), "utf8"))).toMatchObject({ id: chat.control.sessionId });
  });
});

describe("createSubmit()", () => {
  function submitIn(chat: Chat) {
    const sent: [string, number][] = [];
    const failed: string[] = [];
    const going = new Set<string>();
    const submit = createSubmit({
      control: chat.control,
      commands: createCommands(chat.control),
      send: (text, images) => void sent.push([text, images.length]),
      follow(text) {
        going.add(text);
        return () => going.delete(text);
      },
      fail: (error) => void failed.push(error instanceof Error ? error.message : String(error)),
    });
    return { ...submit, sent, failed, going };
  }

  it("tells commands from messages, and a mistake from both", async () => {
    const chat = await chatWith({
      plugins: [plugin("mine", `api.registerCommand({ name: "boom", description: "Fails.", run: () => { throw new Error("no luck"); } });`)],
    });
    const { submit, sent, failed } = submitIn(chat);
    for (const text of ["hello", "/usr/bin is a folder", "/", "1 / 2", "/yolo", "/modle x", "/boom"]) submit(text);
    await waitUntil(() => sent.length === 4 && failed.length === 2 && chat.said.length === 1);
    expect(sent.map(([text]) => text)).toEqual(["hello", "/usr/bin is a folder", "/", "1 / 2"]);
    expect(chat.said).toEqual(["Yolo is off. `/yolo on` or `/yolo off` changes it."]);
    expect(failed.find((text) => text.includes("/modle"))).toMatch(/^There is no command \/modle\. Did you mean \/model\? /);
    expect(failed.find((text) => !text.includes("/modle"))).toMatch(/no luck/);
  });

  it("sends images that are mentioned, in the order of messages, and says what cannot be", async () => {
    const chat = await chatWith();
    const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex");
    await writeFile(join(chat.folder, "shot.png"), png);
    await writeFile(join(chat.folder, "my shot.png"), png);
    await writeFile(join(chat.folder, "fake.png"), "text");
    await writeFile(join(chat.folder, "a.ts"), "text");
    const { submit, sent, failed } = submitIn(chat);
    for (const text of ['see @shot.png, @"my shot.png" and (@shot.png)', "see @fake.png", "see @a.ts and @none.png, me@shot.png"]) submit(text);
    await waitUntil(() => sent.length === 3);
    expect(sent).toEqual([
      ['see @shot.png, @"my shot.png" and (@shot.png)', 2],
      ["see @fake.png", 0],
      ["see @a.ts and @none.png, me@shot.png", 0],
    ]);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatch(/fake\.png is no PNG/);
  });

  it("runs a person's own command through permission, and tells the model of it with the next message", async () => {
    const asked: unknown[] = [];
    const chat = await chatWith({
      builtins: true,
      ask: async ({ input }) => {
        asked.push(input);
        return { decision: input.command === "echo no" ? "deny" : "allow" };
      },
    });
    const { submit, failed } = submitIn(chat);
    submit("!echo hi");
    await waitUntil(() => chat.said.length === 1);
    submit("! echo no");
    await waitUntil(() => chat.said.length === 2);
    expect(asked).toEqual([{ command: "echo hi" }, { command: "echo no" }]);
    expect(chat.said[0]).toBe("$ echo hi\nhi");
    expect(failed).toEqual([]);
    for await (const _ of chat.control.agent.run({ text: "Go on", source: "terminal" }).events);
    const texts = chat.control.agent.messages().map((message) => (message.role === "user" ? message.text : ""));
    expect(texts.join("\n")).toMatch(/The user ran a command:\necho hi\n\nIt printed:\nhi/);
    expect(texts.join("\n")).not.toContain("echo no");
  });

  it("cancels what runs", { timeout: 30_000 }, async () => {
    const chat = await chatWith({
      builtins: true,
      yolo: true,
      plugins: [plugin("slow", `api.registerCommand({ name: "slow", description: "Waits.", run: () => new Promise(() => {}) });`)],
    });
    const { submit, cancel, failed, going } = submitIn(chat);
    expect(cancel()).toBe(false);
    submit("/slow");
    submit("!sleep 100");
    expect([...going]).toEqual(["/slow", "!sleep 100"]);
    await waitUntil(() => cancel());
    await waitUntil(() => failed.length === 1 && chat.said.length === 1);
    expect(failed[0]).toMatch(/cancelled/);
    expect(cancel()).toBe(false);
    expect(going.size).toBe(0);
  });
});

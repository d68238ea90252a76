import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCommands } from "../../../../../core/cli/chat/commands/commands.ts";
import { createCompletion } from "../../../../../core/cli/chat/completion/completion.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { type Chat, chatWith } from "../chat-with.ts";

function completionIn({ control }: Chat, onTriggers?: () => void) {
  return createCompletion({ control, commands: createCommands(control), ...(onTriggers === undefined ? {} : { onTriggers }) });
}

/** Completes at the end of a text, or where `|` stands in it, and takes an item: the text and cursor after that. */
async function at(provider: ReturnType<typeof completionIn>, text: string, force = false) {
  const lines = text.replace("|", "").split("\n");
  const before = (text.includes("|") ? text.slice(0, text.indexOf("|")) : text).split("\n");
  const [line, col] = [before.length - 1, before.at(-1)?.length ?? 0];
  const found = await provider.getSuggestions(lines, line, col, { signal: new AbortController().signal, force });
  return {
    values: found?.items.map(({ value }) => value) ?? [],
    items: found?.items ?? [],
    take(index = 0): string {
      const item = found?.items[index];
      if (found === null || item === undefined) return "nothing";
      const { lines: taken, cursorLine, cursorCol } = provider.applyCompletion(lines, line, col, item, found.prefix);
      return taken.map((each, i) => (i === cursorLine ? `${each.slice(0, cursorCol)}|${each.slice(cursorCol)}` : each)).join("\n");
    },
  };
}

/** All files are found, which may take a while on a busy machine. */
const found = async ({ control }: Chat) => waitUntil(async () => (await control.host.complete({ trigger: "@", query: "" })).isWhole, 30_000);

const touch = async (folder: string, path: string) => {
  await mkdir(join(folder, path, ".."), { recursive: true });
  await writeFile(join(folder, path), "");
};

describe("createCompletion()", { timeout: 60_000 }, () => {
  it("completes commands by their beginning first, and only where a message begins", async () => {
    const provider = completionIn(await chatWith());
    expect((await at(provider, "/mo")).values).toEqual(["/model"]);
    expect((await at(provider, "/")).values).toContain("/help");
    expect((await at(provider, "/e")).values.slice(0, 2)).toEqual(["/export", "/exit"]);
    expect((await at(provider, "/mo")).take()).toBe("/model |");
    expect((await at(provider, "/nothing-like-it")).values).toEqual([]);
    expect((await at(provider, "say\n/mo")).values).toEqual([]);
    expect((await at(provider, "say /mo")).values).toEqual([]);
  });

  it("completes arguments, until they are whole", async () => {
    const provider = completionIn(await chatWith());
    expect((await at(provider, "/yolo ")).values).toEqual(["on", "off"]);
    expect((await at(provider, "/yolo of")).take()).toBe("/yolo off |");
    expect((await at(provider, "/yolo off")).values).toEqual([]);
    expect((await at(provider, "/model scr")).values).toEqual(["embedded/scripted"]);
    expect((await at(provider, "/new ")).values).toEqual([]);
  });

  it("completes mentions at the start of a word, and leaves folders open", async () => {
    const chat = await chatWith();
    for (const path of ["src/deep/a.ts", "src/b.ts", "my dir/c d.ts"]) await touch(chat.folder, path);
    await found(chat);
    const provider = completionIn(chat);
    expect((await at(provider, "look at @b.t| now")).take()).toBe("look at @src/b.ts| now");
    expect((await at(provider, "(@b.t")).take()).toBe("(@src/b.ts |");
    expect((await at(provider, "me@b.t")).values).toEqual([]);
    expect((await at(provider, "@deep")).take()).toBe("@src/deep/|");
    expect((await at(provider, "@src/deep/")).take()).toBe("@src/deep/a.ts |");
    expect((await at(provider, "@src/b.ts")).values).toEqual([]);
    expect((await at(provider, '@"c d|" x')).take()).toBe('@"my dir/c d.ts"| x');
    expect((await at(provider, "@mydir")).take()).toBe('@"my dir/|"');
    expect((await at(provider, "first\n@b.t")).take()).toBe("first\n@src/b.ts |");
  });

  it("completes the word before the cursor as a path where Tab asks for it", async () => {
    const chat = await chatWith();
    await touch(chat.folder, "src/b.ts");
    await found(chat);
    const provider = completionIn(chat);
    expect((await at(provider, "open b.t")).values).toEqual([]);
    expect((await at(provider, "open b.t", true)).take()).toBe("open src/b.ts |");
    expect((await at(provider, "open ", true)).values).toEqual([]);
    expect(provider.shouldTriggerFileCompletion?.(["open "], 0, 5)).toBe(false);
  });

  it("asks sources of plugins after their own characters, once they are known", async () => {
    const chat = await chatWith({
      plugins: [
        {
          name: "issues.ts",
          source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "issues" }, (api) => {
  api.setSlot("completion.sources", (prev, sources) => prev([...sources,
    { trigger: "#", name: "issues", complete: (query) => [{ text: "#12" + query, label: "An issue", description: "open" }] }]));
  api.registerCommand({ name: "count", description: "Counts.", run: () => "" });
});`,
        },
      ],
    });
    await waitUntil(async () => (await chat.control.host.completionSources()).length === 2, 30_000);
    let known = false;
    const provider = completionIn(chat, () => {
      known = true;
    });
    await waitUntil(() => known);
    expect(provider.triggerCharacters).toEqual(["@", "#"]);
    const found = await at(provider, "see #3");
    expect(found.items).toEqual([{ value: "#123", label: "An issue", description: "open" }]);
    expect(found.take()).toBe("see #123 |");
    expect((await at(provider, "/cou")).items).toEqual([{ value: "/count", label: "/count", description: "Counts. (issues)" }]);
  });

  it("answers nothing once more was typed", async () => {
    const provider = completionIn(await chatWith());
    const stop = new AbortController();
    stop.abort();
    expect(await provider.getSuggestions(["@a"], 0, 2, { signal: stop.signal })).toBeNull();
  });
});

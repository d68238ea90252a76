import { readdirSync, readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { testHost } from "mortise/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";

const Request = z.object({ path: z.string() });

const asker = (run: string, capabilities = "{ fs_read: true }") => ({
  name: "asker",
  source: `
    import { definePlugin } from "mortise/sdk";
    export default definePlugin({ name: "asker", capabilities: ${capabilities} }, (api) => {
      const numbers = (path, more = {}) => api.syntax.query({ path, language: "json", query: "(number) @n", ...more });
      const texts = (work) => work.then(({ captures }) => captures.map(({ text }) => text).join(" "), (error) => "refused: " + error.code);
      api.registerTool({
        name: "asker", description: "Asks", scopes: { path: "path", access: "read" },
        input: { type: "object", properties: { path: { type: "string" }, way: { type: "string" } }, required: ["path"] },
        run: async ({ path, way }) => {
          // What is not there with the call comes after this.
          let waited = "";
          setTimeout(() => { waited = ", waited" }, 0);
          ${run}
        },
      });
    });`,
});

async function open(run: string, capabilities?: string, slow = false) {
  const asked: string[] = [];
  const query = async (request: unknown) => {
    const { path } = Request.parse(request);
    asked.push(path);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { captures: JSON.stringify({ names: ["n"], types: ["number"], places: [0, 0, 0, 1, 0, 0, 0], texts: [path] }) };
  };
  const host = await testHost({ plugins: [asker(run, capabilities)], builtins: false, ...(slow ? { fakes: { "syntax.query": query } } : {}) });
  for (const [at, name] of ["a", "b", "c", "d"].entries()) await writeFile(join(host.folder, `${name}.json`), `[${at + 1}, ${at + 10}]`);
  const ask = async (path: string, more: Record<string, string> = {}) => (await host.call("asker", { path, ...more })).text;
  return { host, ask, asked, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

/** Processes for queries that this one started. */
function parsers(): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const isOwn = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1] === String(process.pid);
      return isOwn && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("syntax.js\0tiers");
    } catch {
      return false;
    }
  });
}

describe("createForeseen()", () => {
  it("answers with the call what a tool asked twice alike of files with the same ending", async () => {
    await using t = await open("return (await texts(numbers(path))) + waited;", "{}", true);
    expect(await t.ask("a.json")).toBe("a.json, waited");
    expect(await t.ask("b.json")).toBe("b.json, waited");
    expect(await t.ask("c.json")).toBe("c.json");
    expect(await t.ask("d.txt")).toBe("d.txt, waited");
    expect(t.asked).toEqual(["a.json", "b.json", "c.json", "d.txt"]);
  });

  it("leaves a tool alone that asks otherwise from call to call, and a file that it asked about before", async () => {
    await using t = await open("return (await texts(numbers(path, { texts: { max: Number(way ?? 9) } }))) + waited;", "{}", true);
    await t.ask("a.json", { way: "1" });
    await t.ask("b.json", { way: "2" });
    await t.ask("c.json", { way: "2" });
    expect(await t.ask("d.json", { way: "2" })).toBe("d.json, waited");
    await t.ask("a.txt");
    await t.ask("b.txt");
    expect(await t.ask("a.txt")).toBe("a.txt, waited");
    expect(await t.ask("c.txt")).toBe("c.txt");
  });

  it("looks now and then whether a tool still asks the same", async () => {
    await using t = await open("return (await texts(numbers(path))) + waited;", "{}", true);
    const answers: string[] = [];
    for (let at = 0; at < 70; at++) answers.push(await t.ask(`${at}.json`));
    expect(answers.filter((answer) => answer.endsWith("waited")).length).toBe(3);
    expect(t.asked).toHaveLength(70);
  });

  it("gives a tool that asks something else its own answer, and that to whatever it asks afterwards", async () => {
    await using t = await open(`
      if (way === "strings") return texts(api.syntax.query({ path, language: "json", query: "(array) @a" }));
      if (way === "both") return [await texts(numbers(path)), await texts(numbers("a.json")), await texts(numbers(path))].join("; ");
      return texts(numbers(path));`);
    await t.ask("a.json");
    await t.ask("b.json");
    expect(await t.ask("c.json", { way: "strings" })).toBe("[3, 12]");
    expect(await t.ask("d.json", { way: "both" })).toBe("4 13; 1 10; 4 13");
  });

  it.runIf(process.platform === "linux")("starts the parser of a tool that says it parses, and of no other", async () => {
    const plugin = (name: string, more: string) => ({
      name,
      source: `import { definePlugin } from "mortise/sdk";
        export default definePlugin({ name: "${name}" }, (api) => {
          api.registerTool({ name: "${name}", description: "Waits", input: { type: "object" }, scopes: "none", ${more} run: () => "done" });
        });`,
    });
    await using host = await testHost({ plugins: [plugin("plain", ""), plugin("parsing", "parses: true,")], builtins: false });
    expect((await host.call("plain", {})).text).toBe("done");
    expect(parsers()).toEqual([]);
    expect((await host.call("parsing", {})).text).toBe("done");
    expect(parsers()).toHaveLength(1);
  });

  it("asks only for what the plugin may read, and what its call was permitted for", async () => {
    await using t = await open("return (await texts(numbers(path)));", '{ fs_read: ["*.json"] }');
    await t.ask("a.json");
    await t.ask("b.json");
    await mkdir(join(t.host.folder, "out"));
    await writeFile(join(t.host.folder, "out", "e.json"), "[5]");
    await symlink(join("out", "e.json"), join(t.host.folder, "f.json"));
    expect(await t.ask("out/e.json")).toBe("refused: not_granted");
    expect(await t.ask("f.json")).toBe("refused: not_granted");
    expect(await t.ask("missing.json")).toBe("refused: file_failed");
    expect(await t.ask("c.json")).toBe("3 12");
  });
});

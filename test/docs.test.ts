import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { referencePage } from "../core/reference.ts";
import { testHost } from "../core/testing/testing.ts";
import { type DocumentedTool, toolPages } from "../core/tool-pages.ts";
import { asPlugin, type Fence, fencesOf, readersFolder, readPage, steady } from "./support/page.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const update = process.env.UPDATE === "1";
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith(".md") && name !== "docs/reference.md",
);

describe.each(pages)("%s", (name) => {
  it("prints what it says it prints", { timeout: 120_000 }, async () => {
    const page = await readPage(name);
    const reader = await readersFolder();
    const written: [Fence, string][] = [];
    let printed: string | undefined;
    try {
      for (const fence of fencesOf(page)) {
        const place = `${name}:${fence.line}`;
        if (fence.language === "text") {
          expect(printed, `${place} follows no command`).toBeDefined();
          written.push([fence, printed ?? ""]);
          if (!update) expect(steady(printed ?? ""), place).toBe(steady(fence.body));
          continue;
        }
        printed = undefined;
        if (fence.file !== undefined) {
          await mkdir(dirname(join(reader.folder, fence.file)), { recursive: true });
          await writeFile(join(reader.folder, fence.file), fence.body);
        } else if (fence.language === "sh") {
          printed = await reader.run(fence.body);
        } else if (fence.language === "ts") {
          const host = await testHost({ builtins: false, plugins: [{ name: place, source: asPlugin(fence.body) }] });
          expect(host.problems(), place).toEqual([]);
          await host.close();
        } else if (fence.language === "console") {
          await checkScripts(fence.body);
        } else {
          expect.fail(`${place}: a ${fence.language} fence needs a file name, or nobody knows whether it is right`);
        }
      }
    } finally {
      await reader.remove();
    }
    if (update) await writeFile(join(root, name), withOutputs(page, written));
  });

  it("links to what is there, and names files that are", async () => {
    const page = await readPage(name);
    expectLinks(name, page);
    for (const [, path = ""] of page.matchAll(/`((?:core|sdk|test|plugins|examples|docs)\/[\w./-]*)`/g))
      expect(existsSync(join(root, path)), path).toBe(true);
  });
});

describe("the code on all pages", () => {
  it("type-checks, plugins without Node and tests and programs with it", { timeout: 120_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "mortise-types-"));
    // The package as it is published: its own package.json, and the declarations that its sources give now.
    const packed = join(folder, "node_modules/mortise");
    await mkdir(packed, { recursive: true });
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await cp(join(root, "package.json"), join(packed, "package.json"));
    for (const name of ["zod", "@types", "undici-types"]) await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
    await symlink(join(root, "node_modules"), join(packed, "node_modules"));
    expect(tsc(root, "-p", "core/tsconfig.types.json", "--outDir", join(packed, "dist/types"))).toEqual({ stdout: "", status: 0 });
    await cp(join(root, "core/node-version.d.mts"), join(packed, "dist/types/core/node-version.d.mts"));
    for (const name of pages) {
      for (const fence of fencesOf(await readPage(name)).filter(({ language }) => language === "ts")) {
        const world = /\.(mts|test\.ts)$/.test(fence.file ?? "") ? "program" : "plugin";
        // A page may show a file twice: what it was, and what it becomes.
        const file = join(
          folder,
          `${world}s`,
          name.replace(/\W/g, "-"),
          fence.file === undefined ? `fragment-${fence.line}.ts` : `${fence.line}`,
          fence.file ?? "",
        );
        const target = fence.file === undefined ? file.replace(/\/$/, "") : file;
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, fence.file === undefined ? asPlugin(fence.body) : fence.body);
      }
    }
    for (const [world, types] of [
      ["plugins", []],
      ["programs", ["node"]],
    ] as const) {
      // The package's own declarations have to be whole where Node's are there.
      const skipLibCheck = world === "plugins";
      const options = { noEmit: true, types, lib: ["es2024"], noUnusedLocals: false, noUnusedParameters: false, skipLibCheck };
      const extra = world === "plugins" ? [join(root, "sdk/globals.d.ts")] : [];
      await writeFile(
        join(folder, `${world}.json`),
        JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions: options, include: [`${world}/**/*`, ...extra] }),
      );
      expect(tsc(folder, "-p", join(folder, `${world}.json`))).toEqual({ stdout: "", status: 0 });
    }
    await rm(folder, { recursive: true, force: true });
  });
});

describe("referencePage()", () => {
  it("is what docs/reference.md holds", async () => {
    if (update) await writeFile(join(root, "docs/reference.md"), referencePage());
    expect(await readPage("docs/reference.md")).toBe(referencePage());
  });
});

describe("toolPages()", () => {
  it("is what docs/tools holds: a page for each tool of the pack, and the list of them", async () => {
    const made = toolPages(await packTools());
    const folder = join(root, "docs/tools");
    if (update) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      for (const [name, page] of Object.entries(made)) await writeFile(join(folder, name), page);
    }
    expect(readdirSync(folder).sort()).toEqual(Object.keys(made).sort());
    for (const [name, page] of Object.entries(made)) {
      expect(await readPage(`docs/tools/${name}`), name).toBe(page);
      expectLinks(`docs/tools/${name}`, page);
    }
  });
});

/** The tools of the pack as they are registered, with what is said of them beside their definitions. */
async function packTools(): Promise<DocumentedTool[]> {
  const host = await testHost({ person: { ask: async () => undefined } });
  const tools = host
    .plugins()
    .flatMap(({ name, asks, manifest }) => manifest.tools.map((tool) => ({ ...tool, plugin: name, asks, options: manifest.options })));
  await host.close();
  return Promise.all(tools.map(async (tool) => ({ ...tool, about: await readPage(aboutOf(tool)) })));
}

/** A plugin's main tool has its name. */
function aboutOf({ name, plugin }: { name: string; plugin: string }): string {
  return `plugins/${plugin}/${name === plugin ? "about" : `about-${name}`}.md`;
}

function expectLinks(name: string, page: string): void {
  for (const [, target = ""] of page.matchAll(/\]\((?!https?:)([^)#]+)/g)) expect(existsSync(join(root, dirname(name), target)), target).toBe(true);
}

function tsc(cwd: string, ...args: string[]): { stdout: string; status: number | null } {
  const { stdout, status } = spawnSync(join(root, "node_modules/.bin/tsc"), args, { cwd, encoding: "utf8" });
  return { stdout, status };
}

/** Commands that a page cannot run inside a test: their scripts have to be there. */
async function checkScripts(body: string): Promise<void> {
  const { scripts } = JSON.parse(await readPage("package.json"));
  for (const [, script = ""] of body.matchAll(/npm (?:run )?(?!ci\b|install\b|link\b)([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(script);
}

function withOutputs(page: string, outputs: readonly [Fence, string][]): string {
  return outputs.reduceRight((text, [fence, output]) => {
    if (steady(output) === steady(fence.body)) return text;
    return `${text.slice(0, fence.start)}${output.trimEnd()}\n${text.slice(fence.start + fence.body.length)}`;
  }, page);
}

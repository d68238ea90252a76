import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

const contract = /^sdk\/(contract|errors|wire)\.ts$/;
const modelPackages = ["ai", "@ai-sdk/openai-compatible", "@ai-sdk/provider"];
const hostPackages = [
  ...modelPackages,
  "@clack/prompts",
  "@earendil-works/pi-tui",
  "ajv",
  "commander",
  "esbuild",
  "jsonc-parser",
  "proper-lockfile",
  "tapable",
  "write-file-atomic",
  "zod",
];
/** Costly to load, so only where and when they are needed. */
const chatLibrary = "@earendil-works/pi-tui";
const lateHostPackages = [...modelPackages, "@clack/prompts", chatLibrary, "esbuild"];

type World = {
  name: string;
  here: RegExp;
  /** Files of the project that it may import, by path from the root. */
  files: readonly RegExp[];
  /** Of these, types alone. */
  types?: readonly RegExp[];
  packages: readonly string[];
  node: boolean;
};

const worlds: readonly World[] = [
  {
    name: "runner",
    here: /^core\/isolate\/runner\//,
    files: [/^core\/(isolate\/(runner|protocol)|frames)\//, contract, /^sdk\/turn\.ts$/],
    packages: ["isolated-vm", "zod"],
    node: true,
  },
  {
    name: "syntax server",
    here: /^core\/syntax\/server\//,
    files: [/^core\/(syntax\/(server\/|frames\.ts)|frames\/)/, contract],
    packages: ["web-tree-sitter", "zod"],
    node: true,
  },
  {
    name: "host",
    here: /^core\//,
    files: [/^core\/(?!isolate\/runner\/|syntax\/server\/)/, contract],
    types: [/^sdk\/api\.ts$/],
    packages: hostPackages,
    node: true,
  },
  { name: "contract", here: contract, files: [contract], packages: ["zod"], node: false },
  { name: "SDK", here: /^sdk\//, files: [/^sdk\//], packages: ["zod"], node: false },
  { name: "built-in plugins", here: /^plugins\//, files: [/^plugins\//], packages: ["mortise/sdk", "zod", "@mdream/js"], node: false },
  { name: "example plugins", here: /^examples\/.*\.ts$/, files: [/^examples\//], packages: ["mortise/sdk", "zod"], node: false },
  {
    name: "example programs",
    here: /^examples\//,
    files: [/^(examples\/|core\/node-version\.mjs$)/],
    packages: ["mortise", "mortise/sdk", "mortise/testing"],
    node: true,
  },
];

describe("the worlds", () => {
  it.each(worlds)("holds the $name to what it may import", (world) => {
    const faults = filesOf(world).flatMap((file) =>
      importsOf(file)
        .filter((each) => !allowed(world, file, each))
        .map(({ spec }) => `${file} imports ${spec}`),
    );
    expect(faults).toEqual([]);
    expect(filesOf(world).length).toBeGreaterThan(0);
  });

  it("keeps a built-in plugin to the SDK, its own folder and what no plugin is in", () => {
    const { plugins }: { plugins: string[] } = JSON.parse(readFileSync(join(root, "plugins/pack.json"), "utf8"));
    const owned = plugins.map((path) => path.split("/")[0]);
    const strays = importsInto("plugins").filter(
      ({ file, target }) => target.split("/")[1] !== file.split("/")[1] && owned.includes(target.split("/")[1]),
    );
    expect(owned).toContain("read");
    expect(strays).toEqual([]);
  });

  it("loads what is costly only when it is needed", () => {
    const eager = filesOf(worlds[2]).flatMap((file) =>
      importsOf(file)
        .filter(({ spec, kind }) => kind === "static" && lateHostPackages.includes(packageOf(spec)))
        .filter(({ spec }) => !(packageOf(spec) === chatLibrary && file.startsWith("core/cli/chat/")))
        .map(({ spec }) => `${file} imports ${spec}`),
    );
    expect(eager).toEqual([]);
  });

  it("loads the chat's terminal library with the chat alone", () => {
    const starts = ["core/cli/main.ts", "core/index.ts", "core/agent/index.ts", "core/testing/testing.ts"];
    const eager = [...reachedFrom(starts)].filter((file) => importsOf(file).some(({ spec, kind }) => kind === "static" && spec === chatLibrary));
    expect(eager).toEqual([]);
    const chat = reachedFrom(["core/cli/chat/run-chat.ts"]);
    expect([...chat].some((file) => importsOf(file).some(({ spec }) => spec === chatLibrary))).toBe(true);
  });

  it("asks models only where models are opened and where the loop runs", () => {
    const strays = allFiles.flatMap((file) =>
      importsOf(file)
        .filter(({ spec }) => modelPackages.includes(packageOf(spec)) && !/^core\/(models|agent)\//.test(file))
        .map(({ spec }) => `${file} imports ${spec}`),
    );
    expect(strays).toEqual([]);
  });

  it("names no file or folder utils, helpers, common, misc, manager or service", () => {
    expect(allFiles.filter((file) => /(^|\/)(utils?|helpers?|common|misc|managers?|services?)(\/|\.)/.test(file))).toEqual([]);
  });
});

describe("importsOf()", () => {
  it("finds every kind of import, so that none slips through", () => {
    const text =
      'import a from "a";\nimport type { B } from "b";\nexport {\n  c,\n} from "c";\nimport "d";\nconst e = await import("e");\nexport * from "f";\n';
    expect(parse(text).map(({ spec, kind }) => `${kind} ${spec}`)).toEqual(["static a", "type b", "static c", "static d", "dynamic e", "static f"]);
  });
});

type Import = { spec: string; kind: "static" | "type" | "dynamic" };

const allFiles = ["core", "sdk", "plugins", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?[jt]s$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);

/** A file belongs to the first world that has it. Build scripts belong to none. */
function filesOf(world: World | undefined): string[] {
  return allFiles.filter((file) => !/^core\/.*\.mjs$/.test(file) && worlds.find(({ here }) => here.test(file)) === world);
}

function importsOf(file: string): Import[] {
  return parse(readFileSync(join(root, file), "utf8"));
}

function parse(text: string): Import[] {
  const found = text.matchAll(/^(?:import|export)( type)?\s(?:[^;"]*?\sfrom\s)?\s*"([^"]+)"|(?<!@)\bimport\("([^"]+)"\)/gm);
  return [...found].map(([, type, spec, late]) =>
    late !== undefined ? { spec: late, kind: "dynamic" } : { spec: spec ?? "", kind: type === undefined ? "static" : "type" },
  );
}

function allowed({ files, types = [], packages, node }: World, file: string, { spec, kind }: Import): boolean {
  if (spec.startsWith(".")) {
    const target = targetOf(file, spec);
    return files.some((pattern) => pattern.test(target)) || (kind === "type" && types.some((pattern) => pattern.test(target)));
  }
  if (spec.startsWith("node:")) return node && builtinModules.includes(spec.slice("node:".length));
  return packages.includes(spec) || packages.includes(packageOf(spec));
}

function importsInto(folder: string): { file: string; target: string }[] {
  return allFiles
    .filter((file) => file.startsWith(`${folder}/`))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ spec }) => spec.startsWith("."))
        .map(({ spec }) => ({ file, target: targetOf(file, spec) })),
    );
}

/** The files that are loaded with these. */
function reachedFrom(starts: readonly string[]): Set<string> {
  const reached = new Set(starts);
  for (const file of reached)
    for (const { spec, kind } of importsOf(file)) if (kind === "static" && /^\..*\.m?ts$/.test(spec)) reached.add(targetOf(file, spec));
  return reached;
}

function targetOf(file: string, spec: string): string {
  return join(dirname(file), spec);
}

function packageOf(spec: string): string {
  return spec
    .split("/")
    .slice(0, spec.startsWith("@") ? 2 : 1)
    .join("/");
}

import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { MortiseError } from "../../sdk/errors.ts";
import { isInside } from "../capabilities/fs/path-scope.ts";
import { readSource, type Source } from "../config/jsonc.ts";
import { claudeEntries } from "./claude.ts";
import { codexEntries } from "./codex.ts";
import { geminiEntries } from "./gemini.ts";
import { type Entry, type Imported, settle } from "./imported.ts";
import { opencodeEntries } from "./opencode.ts";

export const agents = ["claude", "codex", "gemini", "opencode"] as const;
export type Agent = (typeof agents)[number];

export type AgentFile = { source: Source; layer: "user" | "project" /** The project's folder. */; root: string };
/** `found`: the files that were read. */
export type ImportResult = Imported & { found: { path: string; layer: AgentFile["layer"] }[] };

/**
 * What the permission files of another agent are here: those of the user and the project, or one that is named.
 * Throws `file_broken` for one that does not parse, `usage` where the one that is named is not there.
 */
export async function importRules(agent: Agent, { root, file }: { root: string; file?: string }): Promise<ImportResult> {
  const user = userFolder(agent);
  const wanted = file === undefined ? await placesOf(agent, user, root) : [{ path: resolve(file), layer: layerOf(resolve(file), user) }];
  const entries: Entry[] = [];
  const found: ImportResult["found"] = [];
  for (const { path, layer } of wanted) {
    const source = await readSource(path);
    if (source === undefined) {
      if (file !== undefined) throw new MortiseError("usage", { seen: `there is no file ${path}` });
      continue;
    }
    found.push({ path, layer });
    entries.push(...(await entriesOf(agent, { source, layer, root })));
  }
  return { ...settle(entries), found };
}

async function entriesOf(agent: Agent, file: AgentFile): Promise<Entry[]> {
  try {
    return await readers[agent]({ ...file, source: { ...file.source, text: file.source.text.replace(/^\ufeff/, "") } });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new MortiseError("file_broken", { seen: `${file.source.path}:1:1: it is nested too deeply`, cause });
  }
}

const readers: Readonly<Record<Agent, (file: AgentFile) => Promise<Entry[]>>> = {
  claude: claudeEntries,
  codex: codexEntries,
  gemini: geminiEntries,
  opencode: opencodeEntries,
};

function userFolder(agent: Agent): string {
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_CONFIG_HOME } = process.env;
  switch (agent) {
    case "claude":
      return resolve(CLAUDE_CONFIG_DIR ?? join(homedir(), ".claude"));
    case "codex":
      return resolve(CODEX_HOME ?? join(homedir(), ".codex"));
    case "gemini":
      return join(homedir(), ".gemini");
    case "opencode":
      return join(XDG_CONFIG_HOME ?? join(homedir(), ".config"), "opencode");
  }
}

type Place = { path: string; layer: AgentFile["layer"] };

async function placesOf(agent: Agent, user: string, root: string): Promise<Place[]> {
  const inUser = (path: string): Place => ({ path: join(user, path), layer: "user" });
  const inProject = (path: string): Place => ({ path: join(root, path), layer: "project" });
  const places = {
    claude: async () => [
      ...managed("claude-code/managed-settings.json"),
      ...(await filesIn(managed("claude-code/managed-settings.d"), ".json")),
      inUser("settings.json"),
      inProject(".claude/settings.json"),
      inProject(".claude/settings.local.json"),
    ],
    codex: async () => [
      ...(await filesIn(managed("codex/rules"), ".rules")),
      inUser("config.toml"),
      ...(await filesIn([inUser("rules")], ".rules")),
      inProject(".codex/config.toml"),
      ...(await filesIn([inProject(".codex/rules")], ".rules")),
    ],
    gemini: async () => [
      ...managed("gemini-cli/settings.json"),
      ...(await filesIn(managed("gemini-cli/policies"), ".toml")),
      inUser("settings.json"),
      ...(await filesIn([inUser("policies")], ".toml")),
      inProject(".gemini/settings.json"),
      ...(await filesIn([inProject(".gemini/policies")], ".toml")),
    ],
    opencode: async () => [
      ...["config.json", "opencode.json", "opencode.jsonc"].map(inUser),
      ...["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"].map(inProject),
    ],
  };
  const all = await places[agent]();
  // A home that is a project has the same files twice.
  return all.filter(({ path }, index) => all.findIndex((other) => other.path === path) === index);
}

/** What an administrator says for all users of a machine. */
function managed(path: string): Place[] {
  const macos: Readonly<Record<string, string>> = { "claude-code": "ClaudeCode", "gemini-cli": "GeminiCli" };
  const [agent = "", ...rest] = path.split("/");
  const folder =
    process.platform === "darwin" && macos[agent] !== undefined ? join("/Library/Application Support", macos[agent]) : join("/etc", agent);
  return process.platform === "win32" ? [] : [{ path: join(folder, ...rest), layer: "user" }];
}

async function filesIn(folders: readonly Place[], ending: string): Promise<Place[]> {
  const found = await Promise.all(
    folders.map(async ({ path, layer }) => {
      const names = await readdir(path).catch(() => []);
      return names
        .filter((name) => name.endsWith(ending))
        .sort()
        .map((name): Place => ({ path: join(path, name), layer }));
    }),
  );
  return found.flat();
}

function layerOf(path: string, user: string): AgentFile["layer"] {
  return isInside(dirname(path), user) ? "user" : "project";
}

import { homedir } from "node:os";
import { isAbsolute, join, resolve, sep } from "node:path";
import { MortiseError } from "../../sdk/errors.ts";
import type { Rule } from "../permission/permission.ts";
import { ConfigFile, userOnly } from "./config-file.ts";
import { type Folders, type Project, projectOf, userFolders } from "./folders.ts";
import { type Placed, parseJsonc, readSource, sourceOf } from "./jsonc.ts";
import { misnamedFiles } from "./misnamed-files.ts";
import { type DefaultEffect, PermissionsFile } from "./permissions-file.ts";
import { type Trust, trustOf } from "./trust.ts";
import { denyRulesOf } from "./untrusted-rules.ts";

export type Options = Readonly<Record<string, string | number | boolean>>;
type Layer = "user" | "project";
type Defaults = { default: DefaultEffect | undefined; defaults: Readonly<Record<string, DefaultEffect>> };
type GrantLine = NonNullable<ConfigFile["grants"]>[string];

/** What the user and a trusted project set. Plain data; read again with `loadSettings`. */
export type Settings = {
  folders: Folders;
  project: Project;
  trust: Trust;
  /** Of the project, then of the user; each knows its file and line. */
  rules: readonly Rule[];
  defaults: Readonly<Record<Layer, Defaults>>;
  yoloUnparseable: boolean;
  /** Whether commands that only read need no permission: as the user says, else as a trusted project does. */
  allowReadOnly: boolean;
  /** Plugins that a config names, absolute, the user's first. */
  plugins: readonly { path: string; origin: Layer; from: string }[];
  disabled: Readonly<Record<Layer, readonly string[]>>;
  options: Readonly<Record<Layer, Readonly<Record<string, Options>>>>;
  grants: Readonly<Record<string, GrantLine>>;
  /** Slots where a plugin's failure stops the call, by plugin, whether or not it is loaded. */
  block: Readonly<Record<string, readonly string[]>>;
  limits: NonNullable<ConfigFile["limits"]>;
  /** How much of a tool's text the model sees, by tool, `*` for every tool. */
  output: Readonly<Record<Layer, NonNullable<ConfigFile["output"]>>>;
  models: NonNullable<ConfigFile["models"]>;
  allowedPrivateHosts: readonly string[];
  passSecrets: readonly string[];
  /** What was read and does not count, each with its place. */
  warnings: readonly string[];
};

type Files = { config: Placed<ConfigFile> | undefined; permissions: Placed<PermissionsFile> | undefined };

/**
 * Reads the settings for a folder. A file of the user's, or of a trusted project, that does not parse throws `file_broken`;
 * of any other project only the deny rules that parse count. With `trustProject` the files count as they are now; throws `not_trusted` where they cannot.
 */
export async function loadSettings(where: { cwd: string; folders?: Folders; trustProject?: boolean }): Promise<Settings> {
  const folders = where.folders ?? userFolders();
  const project = await projectOf(where.cwd);
  const trust = where.trustProject === true ? trustedForNow(await trustOf(project, folders)) : await trustOf(project, folders);
  const user = await readUser(folders);
  if (trust.state !== "trusted" || project.folder === null) {
    const { rules, warnings } = denyRulesOf(project, trust);
    return { ...combine(folders, project, trust, user, none), rules: [...rules, ...rulesOf(user.permissions, "user")], warnings };
  }
  return combine(folders, project, trust, user, await readTrusted(project.folder, trust));
}

/** Settings of a program that reads no files. */
export function noSettings(project: Project, folders: Folders): Settings {
  return combine(folders, project, { state: "nothing", changes: [], refused: [], files: new Map() }, none, none);
}

/** What counts for a tool where nothing else decides: the stricter of what the user and the project say. */
export function defaultEffect(settings: Pick<Settings, "defaults">, tool: string): DefaultEffect {
  const { user, project } = settings.defaults;
  const said = [user, project].map((layer) => (Object.hasOwn(layer.defaults, tool) ? layer.defaults[tool] : layer.default));
  return (["deny", "prompt", "allow"] as const).find((effect) => said.includes(effect)) ?? "prompt";
}

/** Whether the user or the project says what counts for this very tool. */
export function hasDefault({ defaults: { user, project } }: Pick<Settings, "defaults">, tool: string): boolean {
  return [user, project].some((layer) => Object.hasOwn(layer.defaults, tool));
}

function trustedForNow(trust: Trust): Trust {
  if (trust.refused.length > 0) throw new MortiseError("not_trusted", { seen: trust.refused.join("; ") });
  return trust.state === "nothing" ? trust : { ...trust, state: "trusted", forNow: true };
}

const none: Files = { config: undefined, permissions: undefined };

async function readUser(folders: Folders): Promise<Files> {
  const [misnamed] = await misnamedFiles(folders.config);
  if (misnamed !== undefined) throw new MortiseError("file_broken", { seen: misnamed });
  const config = await readSource(join(folders.config, "config.jsonc"));
  const permissions = await readSource(join(folders.config, "permissions.jsonc"));
  return { config: config && parseJsonc(config, ConfigFile), permissions: permissions && parseJsonc(permissions, PermissionsFile) };
}

async function readTrusted(folder: string, trust: Trust): Promise<Files> {
  const [misnamed] = await misnamedFiles(folder);
  if (misnamed !== undefined) throw new MortiseError("file_broken", { seen: misnamed });
  const source = (name: string) => {
    const bytes = trust.files.get(name);
    return bytes && sourceOf(join(folder, name), bytes);
  };
  const config = source("config.jsonc");
  const permissions = source("permissions.jsonc");
  return { config: config && parseJsonc(config, ConfigFile), permissions: permissions && parseJsonc(permissions, PermissionsFile) };
}

function combine(folders: Folders, project: Project, trust: Trust, user: Files, own: Files): Settings {
  const mine = user.config?.value ?? {};
  const theirs = own.config?.value ?? {};
  const inProject = projectPlugins(own.config, project);
  return {
    folders,
    project,
    trust,
    rules: [...rulesOf(own.permissions, "project"), ...rulesOf(user.permissions, "user")],
    defaults: { user: defaultsOf(user.permissions), project: withoutAllow(defaultsOf(own.permissions)) },
    yoloUnparseable: mine.yolo_unparseable ?? false,
    allowReadOnly: user.permissions?.value.allow_read_only ?? own.permissions?.value.allow_read_only ?? false,
    plugins: [...namedPlugins(user.config, folders.config, "user"), ...inProject.plugins],
    disabled: { user: mine.disabled ?? [], project: theirs.disabled ?? [] },
    options: { user: mine.options ?? {}, project: theirs.options ?? {} },
    grants: mine.grants ?? {},
    block: bothBlocks(mine.block ?? {}, theirs.block ?? {}),
    limits: mine.limits ?? {},
    output: { user: mine.output ?? {}, project: theirs.output ?? {} },
    models: mine.models ?? {},
    allowedPrivateHosts: mine.allowedPrivateHosts ?? [],
    passSecrets: mine.passSecrets ?? [],
    warnings: [...ignoredKeys(own.config), ...ignoredAllows(own.permissions), ...inProject.warnings],
  };
}

function rulesOf(file: Placed<PermissionsFile> | undefined, layer: Layer): Rule[] {
  return (file?.value.rules ?? []).map(({ tool, pattern, effect }, index) => ({
    tool,
    ...(pattern === undefined ? {} : { pattern }),
    effect,
    layer,
    from: file?.lineOf(["rules", index]) ?? "",
  }));
}

function defaultsOf(file: Placed<PermissionsFile> | undefined): Defaults {
  return { default: file?.value.default, defaults: file?.value.defaults ?? {} };
}

function withoutAllow(layer: Defaults): Defaults {
  return {
    default: layer.default === "allow" ? undefined : layer.default,
    defaults: Object.fromEntries(Object.entries(layer.defaults).filter(([, effect]) => effect !== "allow")),
  };
}

function namedPlugins(config: Placed<ConfigFile> | undefined, folder: string, origin: Layer): Settings["plugins"] {
  return (config?.value.plugins ?? []).map((entry, index) => ({
    path: absolute(entry, folder),
    origin,
    from: config?.lineOf(["plugins", index]) ?? "",
  }));
}

/** What a project's config names outside of its folder is not covered by trust. */
function projectPlugins(config: Placed<ConfigFile> | undefined, project: Project): { plugins: Settings["plugins"]; warnings: string[] } {
  const folder = project.folder ?? project.root;
  const all = namedPlugins(config, folder, "project");
  const inside = (path: string) => path.startsWith(join(folder, "plugins") + sep);
  return {
    plugins: all.filter(({ path }) => inside(path)),
    warnings: all
      .filter(({ path }) => !inside(path))
      .map(({ path, from }) => `${from}: ${path} is not loaded, since it is not in .mortise/plugins, which trust covers`),
  };
}

function absolute(entry: string, folder: string): string {
  if (entry === "~" || entry.startsWith("~/")) return join(homedir(), entry.slice(1));
  return isAbsolute(entry) ? resolve(entry) : resolve(folder, entry);
}

function bothBlocks(mine: Settings["block"], theirs: Settings["block"]): Settings["block"] {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  return Object.fromEntries(names.map((name) => [name, [...new Set([...(mine[name] ?? []), ...(theirs[name] ?? [])])]]));
}

function ignoredKeys(config: Placed<ConfigFile> | undefined): string[] {
  return userOnly
    .filter((key) => config?.value[key] !== undefined)
    .map((key) => `${config?.lineOf([key])}: "${key}" counts only in the user's own config`);
}

function ignoredAllows(file: Placed<PermissionsFile> | undefined): string[] {
  const general = file?.value.default === "allow" ? [`${file.lineOf(["default"])}: a project cannot allow by default`] : [];
  const single = Object.entries(file?.value.defaults ?? {}).filter(([, effect]) => effect === "allow");
  return [...general, ...single.map(([tool]) => `${file?.lineOf(["defaults", tool])}: a project cannot allow by default`)];
}

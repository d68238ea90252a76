import { randomUUID } from "node:crypto";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MortiseError } from "../sdk/errors.ts";
import { readerId } from "./active-call.ts";
import { type Autocmds, createAutocmds } from "./autocmds/autocmds.ts";
import { callTool } from "./call.ts";
import { createCalls } from "./calls.ts";
import { createCapabilities } from "./capabilities/create-capabilities.ts";
import { createCompletions } from "./completion/completions.ts";
import { addRule } from "./config/add-rule.ts";
import { projectOf, userFolders } from "./config/folders.ts";
import { loadSettings, noSettings } from "./config/settings.ts";
import { createContexts } from "./contexts.ts";
import { createConversations } from "./conversations.ts";
import type { Core } from "./core.ts";
import { definitionsOf } from "./definitions.ts";
import { createForeseen } from "./foreseen.ts";
import { createGrants } from "./grants/grants.ts";
import type { Host, HostOptions, PluginSource, Problem } from "./host-types.ts";
import { createIsolates } from "./isolate/create-isolates.ts";
import { createLogs } from "./logs.ts";
import { outputLimits } from "./output/limits.ts";
import { removeOldSpills, spillsOf } from "./output/spill.ts";
import { judgeUrl } from "./permission/judge-url.ts";
import { createLock } from "./permission/lock.ts";
import { createPermissions } from "./permission/permissions.ts";
import { withReadOnly } from "./permission/read-only.ts";
import { unknownToolsOf } from "./permission/unknown-tools.ts";
import { createPersons } from "./person.ts";
import { createBridge } from "./plugin-bridge.ts";
import { pluginInfo } from "./plugin-info.ts";
import { createPluginMethods } from "./plugin-methods.ts";
import { createPluginNews } from "./plugin-news.ts";
import { discoverPlugins } from "./plugins/discover.ts";
import { keyOf } from "./plugins/load-problem.ts";
import { createPlugins } from "./plugins/plugins.ts";
import { findProblems } from "./problems.ts";
import { watchedPrompts } from "./prompts.ts";
import { redactOutgoing } from "./redact/outgoing.ts";
import { redact } from "./redact/redact.ts";
import { createRuleBook } from "./rule-book.ts";
import { commandsOf, runCommand } from "./run-command.ts";
import { fireAgent } from "./slots/agent.ts";
import { fireDeclared } from "./slots/declared.ts";
import { entitled, hostPrice } from "./slots/price.ts";
import { explainCall } from "./stages/explain.ts";
import { createStandings } from "./standing.ts";
import { createSyntax } from "./syntax/syntax.ts";
import { inAudience, presentTools, type Tool, toolInfo } from "./tools.ts";
import { createTraces } from "./traces.ts";
import { createWrittenFiles } from "./written-files.ts";

/** Milliseconds that calls have to end when the host closes: a tool its grace, redactors their window. */
const CALLS_GRACE_MS = 5_000;
/** Milliseconds that listeners of `SessionEnd` share when the host closes. */
const END_GRACE_MS = 2_000;

/** A host: plugins in isolates of their own, and one way for every tool call. Close it when done. */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const cwd = await realpath(options.cwd ?? process.cwd()).catch(() => {
    throw new MortiseError("no_folder", { seen: options.cwd ?? process.cwd() });
  });
  const folders = userFolders();
  const fromFiles = options.settings === "files";
  const settings = fromFiles
    ? await loadSettings({ cwd, folders, trustProject: options.trustProject ?? false })
    : noSettings(await projectOf(cwd), folders);
  const ownState = fromFiles || options.stateFolder !== undefined ? undefined : await mkdtemp(join(tmpdir(), "mortise-"));
  const state = options.stateFolder ?? ownState ?? folders.state;
  const keeps = ownState === undefined;
  const sessionId = options.sessionId ?? randomUUID();
  const limits = { ...settings.limits, ...options.limits };
  const process_ = options.execPath === undefined ? {} : { execPath: options.execPath };

  const contexts = createContexts();
  const syntax = createSyntax(process_);
  const foreseen = createForeseen(contexts, (call) => bridge(call), syntax.warm);
  const calls = createCalls();
  const spillFolder = join(state, "spills");
  const spills = new Set<string>(options.sessionId === undefined ? [] : await spillsOf(spillFolder, sessionId));
  const traces = createTraces(keeps ? join(state, "sessions") : undefined);
  const logs = createLogs(fromFiles ? join(state, "logs", "mortise.jsonl") : undefined, (texts) => cleanTexts(texts), options.onLog);

  const isolates = createIsolates({
    ...process_,
    onHostCall: (call) => {
      foreseen.heard(call);
      return bridge(call);
    },
    onEvent: (event) => news.onIsolate(event),
    ...(limits.baseMemoryMb === undefined ? {} : { baseMemoryMb: limits.baseMemoryMb }),
    ...(options.spare === undefined ? {} : { spare: options.spare }),
  });
  if (options.warm === true) isolates.warm();
  const grants = createGrants({
    folders,
    lines: settings.grants,
    noGrant: options.noGrant ?? false,
    embedded: options.grant ?? true,
    ...(typeof options.grant === "function" ? { ask: options.grant } : {}),
  });
  const plugins = createPlugins({ isolates, settings: { ...settings, limits }, grants, accept: (next) => standings.accept(next) });
  const standings = createStandings(() => plugins.list(), options.tools ?? [], settings.block);

  const rules = createRuleBook(options, { settings, plugins: () => plugins.list(), spills });
  const { offers } = options;
  const offered = (tools: readonly Tool[]) => (offers === undefined ? tools : tools.filter(({ name }) => offers(name)));
  const lock = createLock();
  const prompts = watchedPrompts();
  const persons = createPersons(options.person, lock);
  const conversations = createConversations({
    tools: () => core.tools(),
    // It spends the user's money, so it is the user's to say.
    mayName: (plugin) => settings.options.user[plugin]?.allowModel === true,
  });
  const judging = createPermissions({
    lock,
    syntax,
    project: settings.project.root,
    folders: { ...folders, state },
    policy: rules.policy,
    ...(options.ask === undefined ? {} : { ask: prompts.watched(options.ask) }),
    remember: async (layer, rule) => {
      try {
        rules.add(await addRule({ folders, project: settings.project }, layer, rule));
      } catch (error) {
        // It counts for the session all the same; a person should know that it does not longer.
        logs.say("warn", null, `The rule was kept for this session only. ${error instanceof MortiseError ? error.message : String(error)}`);
      }
    },
    named: (path) => spills.has(path),
  });
  const permissions = withReadOnly(judging, { on: () => settings.allowReadOnly, project: settings.project.root });
  const capabilities = createCapabilities({
    cwd,
    storeFolder: join(state, "store"),
    locks: join(state, "locks"),
    protectedFolders: [state],
    allowedPrivateHosts: settings.allowedPrivateHosts,
    passSecrets: settings.passSecrets,
    places: { project: settings.project.root, trusted: settings.trust.state === "trusted", user: folders.config, home: homedir() },
    commandAllowed: permissions.commandAllowed,
    leftOut: permissions.leftOut,
    judgeUrl: (url, running, session) => judgeUrl(permissions, url, { ...running, sessionId: session }),
  });
  const autocmds: Autocmds = createAutocmds({
    isolates,
    plugins: () => plugins.list(),
    maySee: (plugin, slot) => entitled(plugin, slot, hostPrice(slot, core.tools().find(({ name }) => slot === `tool.${name}.input`) ?? null)),
    enter: (_plugin, depth) => contexts.enter({ kind: "autocmd", call: null, depth }),
    log: (level, plugin, text) => logs.write(level, plugin, text),
  });
  const core: Core = {
    cwd,
    sessionId,
    isolates,
    capabilities,
    permissions,
    persons,
    conversations,
    contexts,
    foreseen,
    calls,
    autocmds,
    files: createWrittenFiles(),
    plugins: () => plugins.list(),
    tools: () => presentTools(offered(standings.tools()), { person: persons.isThere(), agent: conversations.isThere() }),
    layers: () => standings.layers(),
    limits: (spec, windowMs) => ({
      windowMs: Math.min(windowMs, limits.windowMs ?? Number.POSITIVE_INFINITY),
      sliceMs: limits.sliceMs ?? spec.sliceMs,
      budgetMs: limits.budgetMs ?? spec.budgetMs,
    }),
    outputLimits: (tool) => outputLimits([options.output ?? {}, settings.output.user, settings.output.project], tool),
    spillFolder,
    onSpill: (path) => {
      if (keeps && spills.size === 0) void removeOldSpills(spillFolder);
      spills.add(path);
    },
    onRecord: (record) => traces.append(record),
    onFiring: traces.appendFiring,
  };
  const completions = createCompletions(core, (plugin, text) => logs.write("warn", plugin, text));
  const bridge = createBridge({
    cwd,
    plugin: (name) => plugins.get(name),
    contexts,
    methods: capabilities.methods,
    pluginMethods: createPluginMethods(core, syntax),
    fakes: options.fakes ?? {},
  });

  /** Redacts what is written to logs, as for any tool. */
  let cleaning = 0;
  async function cleanTexts(texts: readonly string[]): Promise<readonly string[]> {
    cleaning++;
    const { texts: clean } = await redact(isolates, standings.layers().redactors(null), texts, "log");
    cleaning--;
    return clean;
  }
  const news = createPluginNews({ logs, tell: autocmds.tell, plugin: (name) => plugins.get(name), isCleaning: () => cleaning > 0 });
  plugins.onChange(({ kind, plugin: { name: plugin, failed } }) => {
    autocmds.reset(plugin);
    if (kind === "unloaded") void capabilities.endPlugin(plugin);
    // With the grants that it was begun with.
    if (kind === "unloaded" || kind === "granted") void conversations.endPlugin(plugin);
    if (failed !== null) autocmds.tell("PluginFailed", { plugin, code: failed.code });
    else if (kind !== "granted") autocmds.tell(kind === "unloaded" ? "PluginUnloaded" : "PluginLoaded", { plugin });
  });
  const failures = await plugins.loadAll(
    await discoverPlugins({
      settings,
      builtins: options.builtins ?? true,
      files: fromFiles && (options.filePlugins ?? true),
      commandLine: (options.commandLine ?? []).map((path) => resolve(path)),
      embedded: (options.plugins ?? []).map(toSource),
    }),
  );

  for (const { entry, cause } of failures) news.failed(keyOf(entry.source), cause);

  let closing: Promise<void> | undefined;
  let left: Parameters<Host["agent"]["leave"]>[0] | undefined;
  const close = async () => {
    await calls.end(CALLS_GRACE_MS);
    if (left === "reset") autocmds.tell("SessionReset", { sessionId });
    await autocmds.tellAndWait("SessionEnd", { sessionId, reason: left ?? "shutdown", deadlineMs: END_GRACE_MS }, END_GRACE_MS);
    await calls.close(CALLS_GRACE_MS);
    permissions.endSession(sessionId);
    core.files.endSession(sessionId);
    await Promise.all([capabilities.close(), completions.close()]);
    await news.settled();
    await logs.flush();
    // What is still being redacted needs isolates.
    await traces.close();
    await Promise.all([isolates.close(), syntax.close()]);
    if (ownState !== undefined) await rm(ownState, { recursive: true, force: true });
  };

  // A program that names a plugin counts on it, most of all where it is a guard.
  const fatal = failures.find(
    ({ entry, cause }) => entry.origin === "embedded" && !(cause instanceof MortiseError && cause.code === "plugin_disabled"),
  );
  if (fatal !== undefined) {
    await close();
    throw fatal.cause;
  }

  const toolsFor = (audience: Parameters<Host["tools"]>[0]): Tool[] =>
    core.tools().filter((tool) => audience === undefined || inAudience(tool, audience));
  const host: Host = {
    cwd,
    sessionId,
    call: (request) => callTool(core, request),
    explain: (request) => explainCall(core, rules.policy(), settings.project.root, request),
    tools: (audience) => toolsFor(audience).map(toolInfo),
    definitions: (audience) => definitionsOf(core, toolsFor(audience), audience),
    plugins: () => plugins.list().map((plugin) => ({ ...pluginInfo(plugin), disabled: isolates.disabled(plugin.name) ?? null })),
    switchedOff: () => plugins.disabled(),
    slots: () => standings.layers().info(core.tools()),
    problems: () => [
      ...plugins.problems(),
      ...[...settings.warnings, ...unknownToolsOf(settings, standings.tools())].map(settingsProblem),
      ...findProblems(plugins.list(), standings.tools()),
    ],
    runners: () => isolates.runners(),
    sent: () => isolates.sent(),
    load: async (source) => pluginInfo(await news.logged(keyOf(toSource(source)), plugins.load(toSource(source), "embedded"))),
    reload: async (name) => pluginInfo(await news.logged(name, plugins.reload(name))),
    unload: (name) => plugins.unload(name),
    enable: (name) => isolates.enable(name),
    grant: async (name) => {
      const plugin = plugins.get(name);
      if (plugin === undefined) throw new MortiseError("unknown_plugin", { seen: name });
      await grants.grant(plugin);
      return pluginInfo(await plugins.regrant(name));
    },
    revoke: async (name) => {
      const taken = await grants.revoke(name);
      if (plugins.get(name) !== undefined) await plugins.regrant(name);
      return taken;
    },
    on: (event, listener) => autocmds.on(event, listener),
    fire: (slot, value) => redactOutgoing(fireDeclared(core, slot, value, { call: null, depth: 0 }), cleanTexts),
    sessionRules: (id = sessionId) => [...rules.own(), ...permissions.sessionRules(id)],
    revokeRule(rule, id = sessionId) {
      const isOwn = rules.dropOwn(rule);
      return permissions.forget(id, rule) || isOwn;
    },
    commands: () => commandsOf(core.plugins()),
    command: (name, args, options) => redactOutgoing(runCommand(core, name, args, options), cleanTexts),
    complete: completions.complete,
    completionSources: completions.sources,
    agent: {
      isLayered: (slot) => standings.layers().named(slot).length > 0,
      fire: (slot, value, ctx, signal) => fireAgent(core, slot, value, ctx, signal),
      tell: autocmds.tell,
      leave(reason) {
        left ??= reason;
      },
      clean: cleanTexts,
      watchPrompts: prompts.watch,
      drive: (who, driver) => {
        const undo = conversations.drive(who, driver);
        return () => {
          undo();
          if (who.taskId !== undefined) core.files.endSession(readerId(who.sessionId, who.taskId));
        };
      },
    },
    close: () => {
      closing ??= close();
      return closing;
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
  return host;
}

function settingsProblem(message: string): Problem {
  return { severity: "warning", code: "settings", plugin: null, message };
}

function toSource(source: PluginSource): { path: string } | { name: string; source: string } {
  return typeof source === "string" ? { path: resolve(source) } : source;
}

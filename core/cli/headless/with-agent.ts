import { MortiseError } from "../../../sdk/errors.ts";
import { createAgent } from "../../agent/agent.ts";
import type { Run } from "../../agent/backend.ts";
import { defaultInstructions } from "../../agent/instructions.ts";
import type { Journal } from "../../agent/journal.ts";
import { createLedger, type Ledger } from "../../agent/ledger.ts";
import type { Timers } from "../../agent/limits.ts";
import type { Reauth } from "../../agent/reauth.ts";
import { type Folders, userFolders } from "../../config/folders.ts";
import { loadSettings, type Settings } from "../../config/settings.ts";
import type { Host } from "../../host-types.ts";
import { defaultModel, openModel } from "../../models/open-model.ts";
import { modelOfTier, tierOf } from "../../models/tiers.ts";
import type { Asker } from "../../permission/permission.ts";
import type { Person } from "../../person.ts";
import { readTask } from "../../session/read-task.ts";
import type { Session } from "../../session/session.ts";
import { createSessions, type Sessions } from "../../session/sessions.ts";
import { createTaskJournal } from "../../session/task-journal.ts";
import type { Cli } from "../cli.ts";
import { folderOf } from "../cwd.ts";
import type { HostedOptions } from "../hosted.ts";
import { visible } from "../visible.ts";
import { withHost } from "../with-host.ts";
import { chooseSession, type SessionOptions } from "./choose-session.ts";
import { STOP_GRACE_MS } from "./drive-run.ts";
import { type Instructions, instructionsOver } from "./instructions.ts";
import type { OpenedHere } from "./opened.ts";
import { type SdkLists, sdkRules } from "./sdk/sdk-rules.ts";
import { createToolOffer } from "./tool-offer.ts";

export type AgentOptions = HostedOptions &
  SessionOptions & {
    model?: string;
    yolo?: true;
    /** The project's files count for this run. */
    trust?: true;
    /** False: the session is deleted in the end. */
    sessionPersistence?: boolean;
    /** Names, as here or as `TodoWrite`: nothing else is offered, or these are not. */
    allowedTools?: readonly string[];
    disallowedTools?: readonly string[];
    timers?: Partial<Timers>;
  } & SdkLists;

export type Permits = {
  /** Asks whoever drives the session. Without it nobody can answer. */
  ask?: Asker;
  /** Asks whoever drives the session what plugins want to know. */
  person?: Person;
  /** Whether what no rule decides is allowed now; as the options say unless given. */
  isYolo?(): boolean;
  /** What the model is told, each time it is asked. */
  instructions?: Instructions;
  /** Asks whoever drives the session to mend a key that was refused; the settings are read again where they did. Without it a refused key ends the run. */
  askForKey?(asked: { model: string; message: string }, signal: AbortSignal): Promise<boolean>;
};

/** Opens the session that the options mean, with its model, host and log, uses it, and leaves nothing of it running. */
export async function withAgent<T>(options: AgentOptions, permits: Permits, cli: Cli, use: (opened: OpenedHere) => Promise<T>): Promise<T> {
  const cwd = await folderOf(options.cwd);
  const folders = userFolders();
  const trustProject = options.trust ?? false;
  const settings = await loadSettings({ cwd, folders, trustProject });
  if (trustProject) tellTrust(settings, cli);
  const lists = await sdkRules(options, settings.project.root);
  for (const warning of lists.warnings) tell(warning, cli);
  const offer = createToolOffer({
    ...(options.allowedTools === undefined ? {} : { allowed: options.allowedTools }),
    disallowed: options.disallowedTools ?? [],
  });
  const open = (spec: string) => openModel(spec, settings, { cwd });
  // Before the session, which nothing is to be made of where the model is not there.
  const named = options.model === undefined ? undefined : await open(options.model);
  const sessions = createSessions(folders.state);
  const session = await chooseSession(sessions, options, { cwd, model: options.model ?? defaultModel(settings) });
  try {
    const model = named ?? (await open(session.state.model));
    const { ask, person } = permits;
    const driven = {
      sessionId: session.id,
      rules: [...lists.rules, ...rulesHere(session, cwd, cli)],
      trustProject,
      // Each is asked about all, so that names which no tool has are found.
      offers: (tool: string) => [offer.offers(tool), lists.offers(tool)].every(Boolean),
      ...(ask === undefined ? {} : { ask }),
      ...(person === undefined ? {} : { person }),
    };
    return await withHost({ ...options, driven, warm: true }, cli, async (host) => {
      const counted = countingJournal(session);
      let woken: (run: Run) => void = () => {};
      let heardTasks: Parameters<NonNullable<OpenedHere["onTasks"]>>[0] = () => {};
      const { context, messages } = session.state;
      const agent = createAgent({
        host: withYolo(host, permits.isYolo),
        model,
        openModel: open,
        tiers: { of: (spec) => tierOf(spec, settings), model: (tier, parent) => modelOfTier(tier, parent, settings) },
        journal: counted.journal,
        readTask: (id) => readTask(folders.state, session.id, id),
        onTasks: (working) => heardTasks(working),
        taskJournal: (task) => createTaskJournal(folders.state, session.id, task),
        history: messages,
        sessionId: session.id,
        onWake: (run) => woken(run),
        ...(permits.askForKey === undefined ? {} : { reauth: reauthBy(permits.askForKey, { cwd, folders, trustProject }) }),
        timers: { ...options.timers, cancelGraceMs: STOP_GRACE_MS - 2_000 },
        ...(permits.instructions === undefined ? {} : { instructions: instructionsOf(permits.instructions, host) }),
        ...(context === null ? {} : { contextTokens: context.tokens }),
      });
      if (session.state.model !== model.id) await session.set({ model: model.id });
      try {
        // Now that an agent is there.
        const tools = host.tools("main").map(({ name }) => name);
        offer.check();
        const used = await use({
          backend: agent,
          agent,
          host,
          session,
          sessionId: session.id,
          cwd,
          model: model.id,
          tools,
          takeSpent: counted.take,
          saved: session.saved,
          keeps: options.sessionPersistence !== false,
          onWake(listener) {
            woken = listener;
          },
          onTasks(listener) {
            heardTasks = listener;
          },
          passesYolo: ({ tool, input }) =>
            host.explain({ tool, input, yolo: true }).then(
              ({ decision }) => decision === "allow",
              () => false,
            ),
          addRules: (rules) => session.set({ rules: [...session.state.rules, ...rules] }),
        });
        if (!cli.aborted.aborted) host.agent.leave("completed");
        return used;
      } finally {
        await agent.close();
      }
    });
  } finally {
    await session.close();
    if (options.sessionPersistence === false) await forget(sessions, session.id, cli);
  }
}

/** Nothing of it is there where nothing was said. */
async function forget(sessions: Sessions, id: string, cli: Cli): Promise<void> {
  await sessions.remove(id).catch((error: unknown) => {
    if (!(error instanceof MortiseError && error.code === "no_session")) tell(error instanceof Error ? error.message : String(error), cli);
  });
}

/** Said for whoever reads the log of a run that nobody watched. */
function tellTrust({ project, trust }: Settings, cli: Cli): void {
  if (trust.files.size === 0) return;
  const shown = [...trust.files.keys()].sort().join(", ");
  tell(`The files of ${project.folder} count for this run, as --trust says: ${shown}.`, cli);
}

function tell(text: string, { stdio }: Cli): void {
  stdio.say(`${stdio.paintError("yellow", "mortise:")} ${visible(text)}`);
}

function reauthBy(askForKey: NonNullable<Permits["askForKey"]>, where: { cwd: string; folders: Folders; trustProject: boolean }): Reauth {
  return async ({ model, message }, signal) => {
    if (!(await askForKey({ model: model.id, message }, signal))) return undefined;
    return openModel(model.id, await loadSettings(where), { cwd: where.cwd });
  };
}

function instructionsOf(told: Instructions, host: Host): () => string {
  const usual = defaultInstructions(host);
  return () => instructionsOver(told, usual);
}

/** What was allowed elsewhere was meant for the files there: the same words may do anything here. */
function rulesHere({ state }: Session, cwd: string, cli: Cli): { tool: string; pattern?: string; effect: "allow" | "ask" | "deny" }[] {
  const rules = state.header.cwd === cwd ? state.rules : state.rules.filter(({ effect }) => effect !== "allow");
  if (rules.length < state.rules.length) tell(`What was allowed in this session in ${state.header.cwd} is asked about here.`, cli);
  return rules.map(({ tool, pattern, effect }) => ({ tool, effect, ...(pattern === undefined ? {} : { pattern }) }));
}

/** The host for calls that are allowed as it is said at their time. */
function withYolo(host: Host, isYolo: Permits["isYolo"]): Host {
  return isYolo === undefined ? host : { ...host, call: (request) => host.call({ ...request, yolo: isYolo() }) };
}

/** The session's log, and a count of what each model was used for. */
function countingJournal(session: Session): { journal: Journal; take(): ReturnType<Ledger["byModel"]> } {
  let ledger = createLedger();
  return {
    journal: {
      ...session,
      addUsage(model, usage, costUsd) {
        ledger.add(model, usage, costUsd);
        return session.addUsage(model, usage, costUsd);
      },
    },
    take() {
      const taken = ledger.byModel();
      ledger = createLedger();
      return taken;
    },
  };
}

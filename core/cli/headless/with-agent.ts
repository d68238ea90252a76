import { createAgent } from "../../agent/agent.ts";
import type { Run } from "../../agent/backend.ts";
import type { Journal } from "../../agent/journal.ts";
import { createLedger, type Ledger } from "../../agent/ledger.ts";
import { userFolders } from "../../config/folders.ts";
import { loadSettings } from "../../config/settings.ts";
import type { Host } from "../../host-types.ts";
import { defaultModel, openModel } from "../../models/open-model.ts";
import type { Asker } from "../../permission/permission.ts";
import type { Session } from "../../session/session.ts";
import { createSessions } from "../../session/sessions.ts";
import type { Cli } from "../cli.ts";
import { folderOf } from "../cwd.ts";
import type { HostedOptions } from "../hosted.ts";
import { withHost } from "../with-host.ts";
import { chooseSession, type SessionOptions } from "./choose-session.ts";
import { STOP_GRACE_MS } from "./drive-run.ts";
import type { Opened } from "./opened.ts";

export type AgentOptions = HostedOptions & SessionOptions & { model?: string; yolo?: true };

export type Permits = {
  /** Asks whoever drives the session. Without it nobody can answer. */
  ask?: Asker;
  /** Whether what no rule decides is allowed now; as the options say unless given. */
  isYolo?(): boolean;
};

/** Opens the session that the options mean, with its model, host and log, uses it, and leaves nothing of it running. */
export async function withAgent<T>(options: AgentOptions, permits: Permits, cli: Cli, use: (opened: Opened) => Promise<T>): Promise<T> {
  const cwd = await folderOf(options.cwd);
  const folders = userFolders();
  const settings = await loadSettings({ cwd, folders });
  const open = (spec: string) => openModel(spec, settings, { cwd });
  // Before the session, which nothing is to be made of where the model is not there.
  const named = options.model === undefined ? undefined : await open(options.model);
  const session = await chooseSession(createSessions(folders.state), options, { cwd, model: options.model ?? defaultModel(settings) });
  try {
    const model = named ?? (await open(session.state.model));
    const { ask } = permits;
    const driven = { sessionId: session.id, rules: ruleLines(session), ...(ask === undefined ? {} : { ask }) };
    return await withHost({ ...options, driven, warm: true }, cli, async (host) => {
      const counted = countingJournal(session);
      let woken: (run: Run) => void = () => {};
      const { context, messages } = session.state;
      const agent = createAgent({
        host: withYolo(host, permits.isYolo),
        model,
        openModel: open,
        journal: counted.journal,
        history: messages,
        sessionId: session.id,
        onWake: (run) => woken(run),
        timers: { cancelGraceMs: STOP_GRACE_MS - 2_000 },
        ...(context === null ? {} : { contextTokens: context.tokens }),
      });
      if (session.state.model !== model.id) await session.set({ model: model.id });
      try {
        return await use({
          backend: agent,
          sessionId: session.id,
          cwd,
          model: model.id,
          tools: host.tools("main").map(({ name }) => name),
          takeSpent: counted.take,
          saved: session.saved,
          onWake(listener) {
            woken = listener;
          },
          passesYolo: ({ tool, input }) =>
            host.explain({ tool, input, yolo: true }).then(
              ({ decision }) => decision === "allow",
              () => false,
            ),
          addRules: (rules) => session.set({ rules: [...session.state.rules, ...rules] }),
        });
      } finally {
        await agent.close();
      }
    });
  } finally {
    await session.close();
  }
}

function ruleLines({ state }: Session): { tool: string; pattern?: string; effect: "allow" | "ask" | "deny" }[] {
  return state.rules.map(({ tool, pattern, effect }) => ({ tool, effect, ...(pattern === undefined ? {} : { pattern }) }));
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

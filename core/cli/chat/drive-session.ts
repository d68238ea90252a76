import type { RunLimits } from "../../agent/backend.ts";
import { rehearseAnswer } from "../../agent/rehearse-answer.ts";
import { costOf } from "../../session/session-state.ts";
import type { Sessions } from "../../session/sessions.ts";
import type { SessionOptions } from "../headless/choose-session.ts";
import type { OpenedHere } from "../headless/opened.ts";
import type { ChatControl } from "./chat-control.ts";
import { createCommands } from "./commands/commands.ts";
import { createSubmit } from "./commands/submit.ts";
import { createCompletion } from "./completion/completion.ts";
import { createConversation } from "./conversation.ts";
import type { ChatParts } from "./drive-sessions.ts";
import { welcome } from "./welcome.ts";

/** What comes after a session: another one, or the end with its last words. */
export type Next =
  /** `after` is the id of the session that was left for it. */
  { kind: "open"; session: SessionOptions; after: string | undefined } | { kind: "exit"; last: string[] };

/** What keys do in a session. */
export type Actions = {
  submit(text: string): void;
  /** Whether there was anything to cancel, that was not cancelled before. */
  cancel(): boolean;
  exit(): void;
  /** Keeps rules for as long as the session lasts, also when it is gone on with. */
  keepRules(rules: Parameters<NonNullable<OpenedHere["addRules"]>>[0]): Promise<void>;
};

export type DriveSessionOptions = Pick<ChatParts, "history" | "yolo" | "gone" | "dispatch" | "screen" | "takeEarly" | "onSession" | "start"> & {
  opened: OpenedHere;
  sessions: Pick<Sessions, "read">;
  limits: Partial<RunLimits>;
  /** Whether this is the chat's first session. */
  isFirst: boolean;
};

/** Drives one session until the person leaves it. */
export async function driveSession(options: DriveSessionOptions): Promise<Next> {
  const { opened, sessions, dispatch, screen, gone } = options;
  const { agent, host, session } = opened;
  const over = Promise.withResolvers<Next>();
  const fail = (error: unknown) => dispatch({ type: "said", tone: "error", text: error instanceof Error ? error.message : String(error) });

  const conversation = createConversation({
    backend: agent,
    limits: options.limits,
    emit: dispatch,
    giveBack: (text) => screen.prompt.set([text, screen.prompt.text()].filter((part) => part !== "").join("\n\n")),
  });
  opened.onWake?.(conversation.follow);
  opened.onTasks?.((working) => dispatch({ type: "tasks", names: working.map(({ name }) => name) }));

  const control: ChatControl = {
    host,
    agent,
    sessionId: opened.sessionId,
    session,
    yolo: options.yolo,
    say: (text) => dispatch({ type: "said", tone: "info", text }),
    send: conversation.send,
    async newSession() {
      screen.redrawFrom(null);
      host.agent.leave("reset");
      over.resolve({ kind: "open", session: {}, after: opened.sessionId });
    },
    async openSession(id) {
      // Before this one is given up.
      await sessions.read(id);
      host.agent.leave("load");
      over.resolve({ kind: "open", session: { session: id }, after: opened.sessionId });
    },
    async setModel(spec) {
      await agent.setModel(spec);
      dispatch({ type: "model", model: agent.model().id, window: agent.context().window });
    },
    compact: conversation.compact,
    exit: () => over.resolve({ kind: "exit", last: goodbye(opened) }),
    clear: () => screen.redrawFrom(null),
  };
  const commands = createCommands(control);
  const follow = (text: string) => {
    const id = Symbol(text);
    dispatch({ type: "command_start", id, text });
    return () => dispatch({ type: "command_end", id });
  };
  const submit = createSubmit({ control, commands, send: conversation.send, follow, fail });
  screen.prompt.complete(createCompletion({ control, commands, onTriggers: screen.prompt.complete }));
  const cancel = () => [submit.cancel(), conversation.cancel()].includes(true);
  options.onSession(opened.sessionId, {
    submit(text) {
      screen.prompt.addToHistory(text);
      void options.history.add(text);
      submit.submit(text);
    },
    cancel,
    exit: control.exit,
    keepRules: async (rules) => opened.addRules?.(rules).catch(fail),
  });

  const { tokens, window } = agent.context();
  const { title, messages, usage, ended, header } = session.state;
  const elsewhere = messages.length > 0 && header.cwd !== opened.cwd ? { begun: header.cwd, here: opened.cwd } : null;
  for (const entry of welcome({ model: agent.model().id, isFirst: options.isFirst, isNew: messages.length === 0, elsewhere }))
    dispatch({ type: "said", ...entry });
  for (const text of options.takeEarly()) dispatch({ type: "said", tone: "warning", text });
  dispatch({
    type: "opened",
    opening: { model: agent.model().id, context: { tokens, window }, costUsd: costOf(usage), title },
    past: messages.length === 0 ? null : { messages, title, sessionId: opened.sessionId, ended: ended?.reason ?? null },
  });
  options.start();
  if (options.isFirst && !agent.model().id.startsWith("embedded/")) setImmediate(() => void rehearseAnswer().catch(() => {}));
  if (gone.aborted) control.exit();
  const next = await over.promise;
  cancel();
  await conversation.idle();
  return next;
}

/** How to go on, where there is anything to go on with. */
function goodbye({ agent, sessionId }: OpenedHere): string[] {
  const tasks = agent.working().map(({ name }) => `"${name}"`);
  const ended = tasks.length === 0 ? [] : [`Ended with it, in the background: ${tasks.join(", ")}.`];
  return agent.messages().length === 0 ? [] : [...ended, `Session ${sessionId}. \`mortise --continue\` goes on with it.`];
}

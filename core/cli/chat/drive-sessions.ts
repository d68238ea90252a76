import type { Folders } from "../../config/folders.ts";
import { createSessions } from "../../session/sessions.ts";
import type { Cli } from "../cli.ts";
import type { SessionOptions } from "../headless/choose-session.ts";
import { withAgent } from "../headless/with-agent.ts";
import type { HostAsks } from "./asks/host-asks.ts";
import type { ChatControl } from "./chat-control.ts";
import type { PromptHistory } from "./completion/prompt-history.ts";
import { type Actions, driveSession, type Next } from "./drive-session.ts";
import type { Screen } from "./screen/screen.ts";
import type { ChatOptions } from "./start-chat.ts";
import type { ChatEvent } from "./state/reduce.ts";

export type ChatParts = {
  cli: Cli;
  folders: Folders;
  history: PromptHistory;
  hostAsks: HostAsks;
  screen: Screen;
  dispatch(event: ChatEvent): void;
  /** Aborted once nobody is there any more. */
  gone: AbortSignal;
  yolo: ChatControl["yolo"];
  /** What was said since the last time, where nothing could be shown. */
  takeEarly(): readonly string[];
  onSession(id: string, actions: Actions): void;
  /** From here on the screen shows. */
  start(): void;
};

/**
 * Drives one session after another, each with a host of its own, until the person leaves. Answers the last words. Throws what opening the first
 * one throws; where another one cannot be opened, that is said, and the one before is opened again.
 */
export async function driveSessions(options: ChatOptions, parts: ChatParts): Promise<string[]> {
  const { cli, folders, hostAsks, dispatch, gone, yolo } = parts;
  const { continue: _c, session: _s, forkSession: _f, sessionId: _i, instructions, limits = {}, ...rest } = options;
  const sessions = createSessions(folders.state);
  const told = instructions === undefined ? {} : { instructions };
  const permits = { ...told, ...hostAsks, isYolo: yolo.isOn };

  const drive = (session: SessionOptions, isFirst: boolean) =>
    withAgent({ ...rest, ...session }, permits, cli, (opened) => driveSession({ ...parts, opened, sessions, limits, isFirst }));

  let before: string | undefined;
  let next: Next = { kind: "open", session: sessionOf(options), after: undefined };
  while (next.kind === "open") {
    const { session }: { session: SessionOptions } = next;
    before = next.after ?? before;
    try {
      next = await drive(session, next.after === undefined);
    } catch (error) {
      if (before === undefined || gone.aborted) throw error;
      dispatch({ type: "said", tone: "error", text: error instanceof Error ? error.message : String(error) });
      // A session without a message is not kept.
      const isKept = await sessions.read(before).then(
        () => true,
        () => false,
      );
      const again: SessionOptions = isKept ? { session: before } : {};
      before = undefined;
      next = await drive(again, false);
    }
  }
  return next.last;
}

function sessionOf({ continue: goesOn, session, forkSession, sessionId }: ChatOptions): SessionOptions {
  return {
    ...(goesOn === undefined ? {} : { continue: goesOn }),
    ...(session === undefined ? {} : { session }),
    ...(forkSession === undefined ? {} : { forkSession }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

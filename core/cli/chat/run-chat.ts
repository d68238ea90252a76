import { homedir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { PersonAnswer } from "../../../sdk/api.ts";
import { systemClock } from "../../agent/clock.ts";
import { projectOf, userFolders } from "../../config/folders.ts";
import type { PromptAnswer, PromptRequest } from "../../permission/permission.ts";
import type { PersonRequest } from "../../person.ts";
import { createSessions } from "../../session/sessions.ts";
import type { Cli } from "../cli.ts";
import { folderOf } from "../cwd.ts";
import type { SessionOptions } from "../headless/choose-session.ts";
import { consoleToStandardError } from "../headless/console-to-stderr.ts";
import { withAgent } from "../headless/with-agent.ts";
import { createAsks } from "./asks/asks.ts";
import { createPermissionPanel } from "./asks/permission-panel.ts";
import { createQuestionPanel } from "./asks/question-panel.ts";
import { createChatView } from "./chat-view.ts";
import { openPromptHistory } from "./completion/prompt-history.ts";
import { driveSession, type Next } from "./drive-session.ts";
import { createScreen } from "./screen/screen.ts";
import type { ChatOptions } from "./start-chat.ts";
import { initialState } from "./state/chat-state.ts";
import { type ChatEvent, reduce } from "./state/reduce.ts";
import type { Look } from "./view/look.ts";
import { type About, statusLine, workingLines } from "./view/status-line.ts";
import { fitted } from "./view/wrapped.ts";

/** Milliseconds in which a second Ctrl+C leaves. */
const TWICE_MS = 2_000;

/** One chat: the screen and what is asked on it stay, while sessions come and go. Answers the exit code. */
export async function runChat(options: ChatOptions, cli: Cli): Promise<number> {
  consoleToStandardError();
  const cwd = await folderOf(options.cwd);
  const folders = userFolders();
  const project = await projectOf(cwd);
  const paint = cli.stdio.paint;
  const clock = systemClock;

  let state = initialState({ model: "", context: { tokens: 0, window: 0 }, costUsd: null, title: null });
  let sessionId = "";
  let isYolo = options.yolo === true;
  const about = (): About => ({ cwd, home: homedir(), sessionId, yolo: isYolo });
  let interruptedAt = Number.NEGATIVE_INFINITY;
  let isStarted = false;
  const early: string[] = [];
  let actions: Parameters<Parameters<typeof driveSession>[0]["onActions"]>[0] | undefined;

  const dispatch = (event: ChatEvent) => {
    const before = state.working?.what;
    state = reduce(state, event, clock.now());
    if (!isStarted) return;
    // The first words of an answer are not kept waiting for a frame.
    if (event.type === "text_delta" && before !== "answering") screen.drawNow();
    else screen.draw();
  };
  const say = (text: string) => {
    const line = stripVTControlCharacters(text)
      .replace(/^mortise: /, "")
      .trim();
    if (line === "") return;
    if (isStarted) dispatch({ type: "said", tone: "warning", text: line });
    else early.push(line);
  };
  const asks = createAsks(clock, () => {
    if (isStarted) screen.draw();
  });
  const view = createChatView(paint);
  const hint = ({ width }: Look) => {
    const isAgain = clock.now() - interruptedAt < TWICE_MS;
    return isAgain ? [fitted(paint("yellow", "Ctrl+C once more leaves."), width)] : [];
  };
  const screen = createScreen({
    paint,
    now: clock.now,
    logFolder: folders.state,
    blocks: (look) => view.blocks(state, look),
    calls: (look, rows) => view.calls(state, look, rows),
    working: (look) => workingLines(state, look),
    status: (look) => [...hint(look), statusLine(state, about(), look)],
    lastTurn: () => state.entries.findLast(({ kind }) => kind === "user")?.id ?? state.entries[0]?.id ?? null,
    panel: asks.current,
    onPanelKey: asks.key,
    onError: say,
    onSubmit(text) {
      if (text.trim() !== "") actions?.submit(text);
    },
    onEscape: () => void actions?.cancel(),
    onEnd: () => actions?.exit(),
    onInterrupt() {
      const isAgain = clock.now() - interruptedAt < TWICE_MS;
      if (asks.current() !== undefined) asks.turnAway();
      else if (screen.prompt.text() !== "") return screen.prompt.set("");
      if (actions?.cancel() === true) return;
      if (isAgain) return actions?.exit();
      interruptedAt = clock.now();
      clock.timer(TWICE_MS + 50, screen.draw);
    },
  });

  const ask = async (request: PromptRequest): Promise<PromptAnswer> => {
    const files = { project: project.folder && join(project.folder, "permissions.jsonc"), user: join(folders.config, "permissions.jsonc") };
    const child = () => state.askers[request.id] ?? null;
    const answer = await asks.ask<PromptAnswer>(
      (told) => createPermissionPanel({ request, child, files, waiting: asks.waiting, answer: told }),
      request.signal,
    );
    if (answer?.decision === "allow" && answer.remember === "session") await actions?.keepRules(request.suggestions);
    return answer ?? { decision: "deny" };
  };
  const person = {
    ask: (request: PersonRequest) => asks.ask<PersonAnswer>((told) => createQuestionPanel(request, told), request.signal),
    isThere: () => isStarted,
  };

  const tick = setInterval(() => {
    if (isStarted && state.working !== null) screen.draw();
  }, 1_000);
  const leave = () => {
    asks.close();
    actions?.cancel();
    actions?.exit();
  };
  cli.aborted.addEventListener("abort", leave, { once: true });
  for (const end of ["end", "close", "error"]) process.stdin.once(end, leave);
  cli.onCrash(async (error) => {
    screen.stop([]);
    cli.stdio.say(`mortise: Something inside failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return 1;
  });

  const told = options.instructions === undefined ? {} : { instructions: options.instructions };
  const held: Cli = { ...cli, stdio: { ...cli.stdio, say, interactive: false } };
  const sessions = createSessions(folders.state);
  const history = openPromptHistory(folders);
  let next: Next = { kind: "open", session: options };
  let goodbye: string[] = [];
  try {
    while (next.kind === "open" && !cli.aborted.aborted) {
      const { session }: { session: SessionOptions } = next;
      const { continue: _c, session: _s, forkSession: _f, sessionId: _i, ...rest } = options;
      next = await withAgent({ ...rest, ...session }, { ...told, ask, person, isYolo: () => isYolo }, held, (opened) => {
        sessionId = opened.sessionId;
        return driveSession({
          opened,
          sessions,
          folders,
          history,
          limits: options.limits ?? {},
          aborted: cli.aborted,
          isFirst: !isStarted,
          yolo: {
            isOn: () => isYolo,
            set(on) {
              isYolo = on;
            },
          },
          early: early.splice(0),
          dispatch,
          screen,
          onActions: (given) => {
            actions = given;
          },
          start() {
            if (!isStarted) {
              for (const line of history.lines()) screen.prompt.addToHistory(line);
              screen.start();
            }
            isStarted = true;
          },
        });
      });
      actions = undefined;
      if (next.kind === "exit") goodbye = next.last;
    }
    return 0;
  } finally {
    clearInterval(tick);
    asks.close();
    cli.aborted.removeEventListener("abort", leave);
    for (const end of ["end", "close", "error"]) process.stdin.off(end, leave);
    screen.stop(goodbye);
    isStarted = false;
  }
}

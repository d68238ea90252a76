import { homedir } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { systemClock } from "../../agent/clock.ts";
import { projectOf, userFolders } from "../../config/folders.ts";
import type { Cli } from "../cli.ts";
import { folderOf } from "../cwd.ts";
import { exits } from "../exits.ts";
import { consoleToStandardError } from "../headless/console-to-stderr.ts";
import { visible } from "../visible.ts";
import { createAsks } from "./asks/asks.ts";
import { createHostAsks } from "./asks/host-asks.ts";
import { createChatView } from "./chat-view.ts";
import { openPromptHistory } from "./completion/prompt-history.ts";
import type { Actions } from "./drive-session.ts";
import { driveSessions } from "./drive-sessions.ts";
import { createScreen } from "./screen/screen.ts";
import type { ChatOptions } from "./start-chat.ts";
import { initialState } from "./state/chat-state.ts";
import { type ChatEvent, reduce } from "./state/reduce.ts";
import type { Look } from "./view/look.ts";
import { rehearse } from "./view/rehearse.ts";
import { statusLine, workingLines } from "./view/status-line.ts";
import { fitted } from "./view/wrapped.ts";

/** Milliseconds in which a second Ctrl+C leaves. */
const TWICE_MS = 2_000;

/** One chat: the screen and what is asked on it stay, while sessions come and go. Answers the exit code. */
export async function runChat(options: ChatOptions, cli: Cli): Promise<number> {
  consoleToStandardError();
  const cwd = await folderOf(options.cwd);
  const folders = userFolders();
  const { paint } = cli.stdio;
  const clock = systemClock;
  const history = openPromptHistory(folders);

  let state = initialState({ model: "", context: { tokens: 0, window: 0 }, costUsd: null, title: null });
  let sessionId = "";
  let isYolo = options.yolo === true;
  let isStarted = false;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  let actions: Actions | undefined;
  /** Said before there is a screen to say it on. */
  let early: string[] = [];

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
  const isAgain = () => clock.now() - interruptedAt < TWICE_MS;
  const status = (look: Look) => [
    ...(isAgain() ? [fitted(paint("yellow", "Ctrl+C once more leaves."), look.width)] : []),
    statusLine(state, { cwd, home: homedir(), sessionId, yolo: isYolo }, look),
  ];
  const screen = createScreen({
    paint,
    now: clock.now,
    logFolder: folders.state,
    blocks: (look) => view.blocks(state, look),
    calls: (look, rows) => view.calls(state, look, rows),
    working: (look) => workingLines(state, look),
    status,
    lastTurn: () => state.entries.findLast(({ kind }) => kind === "user")?.id ?? state.entries[0]?.id ?? null,
    panel: asks.current,
    onPanelKey: asks.key,
    onError: say,
    onSubmit(text) {
      if (text.trim() !== "") actions?.submit(text);
    },
    onEscape: () => void actions?.cancel(),
    onBack: asks.unseen,
    onEnd: () => actions?.exit(),
    onInterrupt() {
      if (asks.current() !== undefined) asks.turnAway();
      else if (screen.prompt.text() !== "") return screen.prompt.set("");
      if (actions?.cancel() === true) return;
      if (isAgain()) return actions?.exit();
      interruptedAt = clock.now();
      clock.timer(TWICE_MS + 50, screen.draw);
    },
  });
  const hostAsks = createHostAsks({
    asks,
    project: await projectOf(cwd),
    folders,
    childOf: (askId) => state.askers[askId] ?? null,
    isThere: () => isStarted,
    keepRules: async (rules) => actions?.keepRules(rules),
  });

  /** The person is gone, or a signal came: nobody answers any more, and what runs is ended. */
  const gone = new AbortController();
  const leave = () => {
    gone.abort();
    asks.close();
    actions?.exit();
  };
  cli.aborted.addEventListener("abort", leave, { once: true });
  // It may have come while this was loaded.
  if (cli.aborted.aborted) leave();
  for (const end of ["end", "close", "error"]) process.stdin.on(end, leave);
  cli.onCrash(async (error) => {
    screen.restore();
    cli.stdio.say(visible(`mortise: Something inside failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`));
    return exits.failed;
  });
  const tick = setInterval(() => {
    if (isStarted && (state.working !== null || state.commands.length > 0)) screen.draw();
  }, 1_000);

  let last: string[] = [];
  try {
    last = await driveSessions(options, {
      cli: { ...cli, stdio: { ...cli.stdio, say, interactive: false } },
      folders,
      history,
      hostAsks,
      screen,
      dispatch,
      gone: gone.signal,
      yolo: {
        isOn: () => isYolo,
        set(on) {
          isYolo = on;
          screen.draw();
        },
      },
      takeEarly() {
        const said = early;
        early = [];
        return said;
      },
      onSession(id, given) {
        sessionId = id;
        actions = given;
      },
      start() {
        if (isStarted) return;
        for (const line of history.lines()) screen.prompt.addToHistory(line);
        screen.start();
        isStarted = true;
        setImmediate(() => rehearse({ paint, width: process.stdout.columns || 80, now: clock.now(), expanded: false }));
      },
    });
    return exits.ok;
  } finally {
    clearInterval(tick);
    asks.close();
    cli.aborted.removeEventListener("abort", leave);
    for (const end of ["end", "close", "error"]) process.stdin.off(end, leave);
    isStarted = false;
    await screen.stop(last);
    await history.saved();
    for (const text of early) cli.stdio.say(`mortise: ${visible(text)}`);
  }
}

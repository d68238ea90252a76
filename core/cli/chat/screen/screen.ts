import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import { CURSOR_MARKER, Editor, isKeyRelease, Key, matchesKey, TuiMainScreen } from "@earendil-works/pi-tui";
import type { Panel } from "../asks/panel.ts";
import { editorTheme, type Look, type Paint } from "../view/look.ts";
import { guarded } from "../view/screen-text.ts";
import { fitted } from "../view/wrapped.ts";
import type { Block } from "./document.ts";
import { createDocument } from "./document.ts";
import { createJobControl } from "./job-control.ts";
import { useKeys } from "./keys.ts";
import { createTerminal, holdStandardError } from "./terminal.ts";

export type ScreenOptions = {
  paint: Paint;
  now(): number;
  /** Where a crash of the drawing is told. */
  logFolder: string;
  /** The conversation, in lines that steer nothing and fit. Called for each drawing. */
  blocks(look: Look): readonly Block[];
  /** The calls that go on, in at most so many lines. */
  calls(look: Look, rows: number): string[];
  /** What goes on, above the prompt. */
  working(look: Look): string[];
  /** Under the prompt. */
  status(look: Look): string[];
  /** What the last message of the person begins with; null where there was none. */
  lastTurn(): number | null;
  panel(): Panel | undefined;
  onPanelKey(data: string): void;
  onSubmit(text: string): void;
  onEscape(): void;
  onInterrupt(): void;
  /** Ctrl+D at an empty prompt. */
  onEnd(): void;
  /** The terminal was with somebody else meanwhile. */
  onBack(): void;
  onError(text: string): void;
};

export type Screen = {
  start(): void;
  /** Leaves the terminal as it was, with these lines as the last. Keys that are on their way are not left to whoever reads next. */
  stop(last: readonly string[]): Promise<void>;
  /** The same at once. */
  restore(): void;
  draw(): void;
  /** Draws at once, for the first words of an answer. */
  drawNow(): void;
  /** Draws the conversation anew from an entry on; what is above stays in the scrollback. */
  redrawFrom(id: number | null): void;
  prompt: {
    text(): string;
    set(text: string): void;
    addToHistory(text: string): void;
    complete(provider: AutocompleteProvider): void;
  };
  isExpanded(): boolean;
  expand(on: boolean): void;
};

/** How long keys are waited for in the end, in milliseconds: terminals also tell that one was let go. */
const DRAIN_MS = 300;

const PASTE = "\u001b[200~";
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys that do something begin with one
const CONTROL = /^[\u0000-\u001f\u007f]/;

const MARKERS = [CURSOR_MARKER, "\u001b_pi:fc\u0007", "\u001b_pi:/fc\u0007"];

/** The chat's part of the terminal: the conversation in its scrollback, and under it the prompt or a question. */
export function createScreen(options: ScreenOptions): Screen {
  const { paint, now } = options;
  useKeys();
  const terminal = createTerminal();
  const tui = new TuiMainScreen(terminal, false, options.logFolder);
  const editor = new Editor(tui, editorTheme(paint), { paddingX: 0 });
  const document = createDocument(() => process.nextTick(() => tui.requestRender(true)));
  let isExpanded = false;
  let isStopped = false;
  let undo: (() => void)[] = [];

  const look = (width: number): Look => ({ paint, width, now: now(), expanded: isExpanded });
  const belowOf = (shown: Look, rows: number): string[] => {
    if (isStopped) return [""];
    const panel = options.panel();
    const fixed =
      panel === undefined
        ? [...options.working(shown), ...editor.render(shown.width), ...options.status(shown)]
        : ["", ...panel.lines(shown, Math.max(8, rows - 2))];
    return [...options.calls(shown, rows - fixed.length - 1), ...fixed];
  };

  const jobs = createJobControl({
    release: () => tui.stop(),
    take() {
      // What the shell wrote meanwhile goes where all else goes that was on the screen.
      terminal.write("\r\n".repeat(terminal.rows));
      document.again();
      tui.start();
      tui.requestRender(true);
      options.onBack();
    },
  });

  tui.addChild({
    invalidate() {},
    render(width) {
      const shown = look(width);
      const rows = terminal.rows;
      const below = belowOf(shown, rows).map((line) => fitted(guarded(line, MARKERS), width));
      return document.lines(options.blocks(shown), below, { width, rows });
    },
  });
  tui.setFocus(editor);
  editor.onSubmit = (text) => options.onSubmit(text);

  let isPasting = false;
  const onKey = (data: string): boolean => {
    if (isStopped) return true;
    // What is pasted may hold the mark of its end, and keys after it: none that comes with a paste does anything.
    if (isPasting && CONTROL.test(data)) return true;
    if (data.startsWith(PASTE)) {
      isPasting = true;
      setImmediate(() => {
        isPasting = false;
      });
    }
    if (isKeyRelease(data)) return false;
    if (matchesKey(data, Key.ctrl("c"))) options.onInterrupt();
    else if (matchesKey(data, Key.ctrl("z"))) jobs.suspend();
    else if (options.panel() !== undefined) options.onPanelKey(data);
    else if (matchesKey(data, Key.ctrl("o"))) screen.expand(!isExpanded);
    else if (matchesKey(data, Key.ctrl("d")) && editor.getText() === "") options.onEnd();
    else if (matchesKey(data, Key.escape) && !editor.isShowingAutocomplete()) options.onEscape();
    else return false;
    tui.requestRender();
    return true;
  };
  const screen: Screen = {
    start() {
      const forget = tui.addInputListener((data) => (onKey(data) ? { consume: true } : { data: withoutControls(data) }));
      undo = [forget, holdStandardError(options.onError), jobs.watch()];
      tui.start();
    },
    async stop(lines) {
      if (undo.length === 0) return;
      isStopped = true;
      tui.renderNow();
      await terminal.drainInput(DRAIN_MS);
      screen.restore();
      if (lines.length > 0) terminal.write(`${lines.join("\r\n")}\r\n`);
    },
    restore() {
      if (undo.length === 0) return;
      isStopped = true;
      if (!jobs.isAway()) tui.stop();
      for (const each of undo.splice(0)) each();
    },
    draw: () => tui.requestRender(),
    drawNow: () => tui.renderNow(),
    redrawFrom(id) {
      document.begin(id);
      tui.requestRender(true);
    },
    prompt: {
      text: () => editor.getExpandedText(),
      set: (text) => editor.setText(text),
      addToHistory: (text) => editor.addToHistory(text),
      complete: (provider) => editor.setAutocompleteProvider(provider),
    },
    isExpanded: () => isExpanded,
    expand(on) {
      isExpanded = on;
      screen.redrawFrom(options.lastTurn());
    },
  };
  return screen;
}

/** What is pasted may hold controls of eight bits, which some terminals follow. */
function withoutControls(data: string): string {
  return data.replace(/[\u0080-\u009f]/g, "");
}

import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { entry, findPrograms, isAlive, type Scratch, until } from "../run-cli.ts";

export const hasTmux = findPrograms("tmux").length > 0;

/** A terminal of its own, with a person at it. */
export type Pane = {
  /** Types keys as tmux names them: `Enter`, `Escape`, `C-c`. */
  press(...keys: string[]): Promise<void>;
  /** Types a text as it is. */
  write(text: string): Promise<void>;
  /** Writes a line and sends it, once it is on the screen. */
  send(text: string): Promise<void>;
  /** Pastes as a terminal does, in brackets where the program asked for them. */
  paste(text: string): Promise<void>;
  screen(): Promise<string>;
  /** The screen and all that scrolled away. */
  everything(): Promise<string>;
  /** Waits until the screen shows it, and gives the screen. */
  until(shows: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** Whether the cursor is shown. */
  cursor(): Promise<boolean>;
  /** All that the program wrote, escapes and all. */
  written(): Promise<string>;
  /** The process of the chat; undefined once it ended. */
  pid(): Promise<number | undefined>;
  /** As where a terminal's window is closed. */
  close(): Promise<void>;
};

const run = promisify(execFile);
const LIMIT_MS = 60_000;

/**
 * Opens a chat in a terminal. What it exits with is printed as `[exit N]`, then whether the terminal is as it was. With `jobs` it is the job of
 * a shell, which says `[stopped]` where it is stopped, whether the terminal is as it was then, and lets it go on after a line.
 */
export async function openPane(
  here: Scratch,
  words: readonly string[] = [],
  { columns = 80, rows = 24, env = {}, jobs = false }: { columns?: number; rows?: number; env?: Record<string, string>; jobs?: boolean } = {},
): Promise<Pane> {
  const socket = join(here.home, "tmux");
  const [script, log] = [join(here.home, "start.sh"), join(here.home, "written")];
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  await writeFile(
    script,
    [
      ...Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`),
      "echo EARLIER",
      "before=$(stty -g)",
      ...(jobs ? ["set -m"] : []),
      [process.execPath, entry, ...words].map(quoted).join(" "),
      ...(jobs ? ['echo "[stopped]"', '[ "$before" = "$(stty -g)" ] && echo "[terminal as before]"', "read -r line", "fg"] : []),
      'echo "[exit $?]"',
      '[ "$before" = "$(stty -g)" ] && echo "[terminal as before]"',
      "exec cat",
    ].join("\n"),
  );
  await writeFile(log, "");
  const { TMUX: _t, NO_COLOR: _n, ...rest } = here.env;
  const tmux = async (...args: string[]) =>
    (await run("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], { env: { ...rest, LC_ALL: "C.UTF-8" } })).stdout;
  const start = `cd ${quoted(here.folder)}; exec sh ${quoted(script)}`;
  await tmux("new-session", "-d", "-s", "chat", "-x", `${columns}`, "-y", `${rows}`, `sleep 0.2; ${start}`);
  await tmux("pipe-pane", "-t", "chat", `cat >> ${quoted(log)}`);
  const server = Number(await tmux("display-message", "-p", "#{pid}"));
  const screen = () => tmux("capture-pane", "-p", "-t", "chat");

  const pane: Pane = {
    press: async (...keys) => void (await tmux("send-keys", "-t", "chat", ...keys)),
    write: async (text) => void (await tmux("send-keys", "-t", "chat", "-l", text)),
    async send(text) {
      await pane.write(text);
      // Enter right after a text would be part of a paste for some terminals.
      await pane.until((shown) => shown.replace(/\s/g, "").includes(text.slice(-12).replace(/\s/g, "")));
      await pane.press("Enter");
    },
    async paste(text) {
      await tmux("set-buffer", "-b", "clip", text);
      await tmux("paste-buffer", "-p", "-r", "-b", "clip", "-t", "chat");
    },
    screen,
    everything: () => tmux("capture-pane", "-p", "-S", "-", "-t", "chat"),
    async until(shows) {
      const holds = (text: string) =>
        typeof shows === "function" ? shows(text) : typeof shows === "string" ? text.includes(shows) : shows.test(text);
      for (const end = Date.now() + LIMIT_MS; ; await delay(40)) {
        const text = await screen();
        if (holds(text)) return text;
        if (Date.now() > end) throw new Error(`never came: ${String(shows)}\n${await pane.everything()}`);
      }
    },
    resize: async (width, height) => void (await tmux("resize-window", "-t", "chat", "-x", `${width}`, "-y", `${height}`)),
    cursor: async () => (await tmux("display-message", "-p", "-t", "chat", "#{cursor_flag}")).trim() === "1",
    written: () => readFile(log, "utf8"),
    async pid() {
      const shell = (await tmux("display-message", "-p", "-t", "chat", "#{pane_pid}")).trim();
      const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,comm="]).catch(() => ({ stdout: "" }));
      const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
      const found = rows.find(([, parent, name = ""]) => parent === shell && /node|mortise/i.test(name));
      return found === undefined ? undefined : Number(found[0]);
    },
    async close() {
      const pid = await pane.pid().catch(() => undefined);
      // The whole window first, so that nothing of it is left.
      await tmux("kill-session", "-t", "chat").catch(() => {});
      try {
        process.kill(server);
      } catch {
        // It ended with its last session.
      }
      // Else the next one would be told to a server that ends.
      await until(() => !isAlive(server), "the end of the terminal");
      if (pid !== undefined) await until(() => !isAlive(pid), "the end of the chat");
    },
  };
  return pane;
}

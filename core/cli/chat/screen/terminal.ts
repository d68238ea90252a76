import { ProcessTerminal, setCapabilities, type Terminal } from "@earendil-works/pi-tui";

/** What clears the terminal's scrollback, where what a person did before the chat is. */
const CLEAR_SCROLLBACK = "\u001b[3J";

/** The terminal of this process. Nothing that was on it before is lost. */
export function createTerminal(): Terminal {
  // Addresses are shown as they are, and no images are drawn: what a model writes leads where it says.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const terminal = new ProcessTerminal();
  const write = terminal.write.bind(terminal);
  terminal.write = (data) => write(data.replaceAll(CLEAR_SCROLLBACK, ""));
  return terminal;
}

/** Hands on what others write to standard error meanwhile, which would tear the screen. Returns its undo. */
export function holdStandardError(say: (text: string) => void): () => void {
  const { stderr } = process;
  const own = stderr.write;
  stderr.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    say(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
    const told = typeof encoding === "function" ? encoding : done;
    if (typeof told === "function") process.nextTick(told);
    return true;
  };
  return () => {
    stderr.write = own;
  };
}

import { sentence } from "../../sdk/errors.ts";
import { border } from "../output/cap.ts";

/** Redacts texts, in one go; `withheld` where a redactor failed. */
export type RedactTexts = (texts: readonly string[]) => Promise<{ texts: readonly string[]; withheld: boolean }>;

export type RedactedStream = {
  /** Takes text as it comes. Never throws. */
  write(text: string): void;
  /** Shows what is left. Resolves when all of it was shown. */
  end(): Promise<void>;
};

/** Text held back for one secret, at most; past it the rest of the stream is withheld. */
const HELD_CHARS = 1024 * 1024;
/** Text that redactors have not looked at yet, at most; a tool that writes faster than they read is not shown further. */
const WAITING_CHARS = 16 * 1024 * 1024;
/** Text looked at in one go, besides the overlap; more where a secret goes on past it. */
const LOOK_CHARS = 64 * 1024;

/**
 * Shows a stream redacted: the last `overlap` characters are held back, and a cut is made only where no redaction crosses it,
 * so that a secret split between chunks never shows. Without redactors text passes straight through.
 */
export function redactStream(overlap: number | null, redactTexts: RedactTexts, show: (text: string) => void): RedactedStream {
  if (overlap === null) return { write: (text) => void attempt(() => show(text)), end: async () => {} };
  let held = "";
  // Texts are looked at when enough came, so that the work grows with the stream and not with its chunks.
  const enough = overlap + Math.floor(overlap / 4);
  let least = enough;
  let look = overlap + LOOK_CHARS;
  let withheld = false;
  let working: Promise<void> | undefined;

  const stop = (why: string) => {
    withheld = true;
    held = "";
    show(`${why}\n`);
  };
  const withhold = () => stop(sentence("withheld"));

  const finish = async () => {
    if (withheld || held === "") return;
    const answer = await redactTexts([held]);
    if (withheld) return;
    if (answer.withheld) return withhold();
    show(answer.texts[0] ?? "");
    held = "";
  };

  const work = async () => {
    while (!withheld && held.length > least) {
      const text = held.slice(0, border(held, look, -1));
      const cuts = candidates(text, overlap);
      // One crossing: the whole, then for each cut what is before and behind it.
      const answer = await redactTexts([text, ...cuts.flatMap((cut) => [text.slice(0, cut), text.slice(cut)])]);
      if (withheld) return;
      if (answer.withheld) return withhold();
      const [whole = "", ...parts] = answer.texts;
      const clean = cuts.findIndex((_, i) => `${parts[2 * i]}${parts[2 * i + 1]}` === whole);
      if (clean < 0) {
        if (text.length > HELD_CHARS) return withhold();
        // Only much more text can end this secret.
        least = Math.max(least, Math.floor(text.length * 1.25));
        look = Math.max(look, text.length * 2);
        continue;
      }
      least = enough;
      look = overlap + LOOK_CHARS;
      show(parts[2 * clean] ?? "");
      held = held.slice(cuts[clean] ?? text.length);
    }
  };

  const after = (step: () => Promise<void>) => {
    working = (working ?? Promise.resolve()).then(step).catch(() => attempt(withhold));
    return working;
  };

  return {
    write(text) {
      if (withheld) return;
      held += text;
      if (held.length > WAITING_CHARS) attempt(() => stop("[more output is not shown while it runs]"));
      else if (held.length > least) void after(work);
    },
    end: () => after(finish),
  };
}

/** Whoever is shown the text may fail: that harms nobody here. */
function attempt(step: () => void): void {
  try {
    step();
  } catch {}
}

/** Places to cut: the last line end that leaves the overlap, the overlap itself, and further back. Never inside a surrogate pair. */
function candidates(text: string, overlap: number): number[] {
  const latest = text.length - overlap;
  const line = text.lastIndexOf("\n", latest - 1) + 1;
  const cuts = [line, latest, Math.floor(latest / 2), text.lastIndexOf("\n", Math.floor(latest / 2)) + 1];
  return [...new Set(cuts.map((cut) => border(text, cut, -1)))].filter((cut) => cut > 0);
}

export type JobControlOptions = {
  /** Leaves the terminal to the shell. */
  release(): void;
  /** Takes it back, with whatever is on it. */
  take(): void;
};

/** What a shell does with a job: it is stopped by Ctrl+Z or SIGTSTP, and goes on by `fg`. */
export type JobControl = {
  /** Leaves the terminal, and stops this process and all of its job. Goes on at once where no shell could ever bring it back. */
  suspend(): void;
  /** Heeds SIGTSTP and SIGCONT from now on. Returns its undo. */
  watch(): () => void;
  isAway(): boolean;
};

/** How long a stop may take to come, in milliseconds: it comes to a process with a shell, and to no other. */
const STOP_MS = 200;
/** A SIGCONT so soon after it went on is told of the same stop, in milliseconds. */
const SAME_MS = 1_000;

export function createJobControl({ release, take }: JobControlOptions): JobControl {
  let isAway = false;
  let isWatching = false;
  let backAt = Number.NEGATIVE_INFINITY;

  const back = () => {
    if (!isWatching) return;
    // Stopped by SIGSTOP, nothing could be left, and the shell has changed the terminal's modes.
    if (!isAway) release();
    else process.on("SIGTSTP", suspend);
    isAway = false;
    backAt = performance.now();
    take();
  };
  const suspend = () => {
    if (isAway || !isWatching) return;
    isAway = true;
    process.off("SIGTSTP", suspend);
    release();
    setTimeout(() => {
      if (isAway) back();
    }, STOP_MS);
    // With the whole job, as the terminal itself would: a package runner that started this waits for it.
    process.kill(0, "SIGTSTP");
  };
  const onContinue = () => {
    if (isAway || performance.now() - backAt > SAME_MS) back();
  };

  return {
    suspend,
    watch() {
      if (process.platform === "win32") return () => {};
      isWatching = true;
      process.on("SIGTSTP", suspend);
      process.on("SIGCONT", onContinue);
      return () => {
        isWatching = false;
        process.off("SIGTSTP", suspend);
        process.off("SIGCONT", onContinue);
      };
    },
    isAway: () => isAway,
  };
}

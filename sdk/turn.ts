/** How a runner and the prelude of an isolate speak: the one file that both read beside the contract. Everything that crosses is a primitive. */

/** What the runner says, as the first argument of a turn. */
export const IN = {
  load: 1,
  layer: 2,
  invoke: 3,
  value: 4,
  stopped: 5,
  /** Of an entry of `answers`. */
  answer: 6,
  refuse: 7,
  timer: 8,
  abort: 9,
  drop: 10,
  collect: 11,
  program: 12,
  answers: 13,
} as const;

/** What a turn says back: records, one after another, each led by one of these. */
export const OUT = { answer: 1, verdict: 2, error: 3, prev: 4, host: 5, log: 6, timer: 7, clear: 8, loaded: 9, write: 10 } as const;

/** How `data` of an output goes on: as it came in, as `prev` gave it, not at all, or as sent. */
export const DATA = { input: 0, prev: 1, dropped: 2, given: 3 } as const;

/** Globals through which runner and prelude find each other before any plugin code runs. */
export const GLOBALS = { bridge: "mortise:bridge", tables: "mortise:tables", describer: "mortise:describer", turn: "mortise:turn" } as const;

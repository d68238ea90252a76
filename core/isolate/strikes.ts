/** What a plugin's failures have brought it to. */
export type Standing = "shared" | "own" | "disabled";

export type Strikes = {
  /** Counts a failure. Says how many in a row, and where the plugin stands now. */
  strike(name: string): { strikes: number; standing: Standing };
  /** A call that went well. */
  clean(name: string): void;
  standing(name: string): Standing;
  /** Starts over, from where the plugin asks to run. */
  reset(name: string, standing: Standing): void;
};

const IN_A_ROW = 2;
const CLEAN_CALLS = 200;
const FORGIVEN_MS = 60_000;

/** Two strikes in a row move a plugin to a runner of its own, two more disable it. Clean calls and time forgive. */
export function createStrikes(now: () => number = () => performance.now()): Strikes {
  const records = new Map<string, { standing: Standing; strikes: number; clean: number; last: number }>();
  const recordOf = (name: string) => {
    const record = records.get(name) ?? { standing: "shared" as Standing, strikes: 0, clean: 0, last: 0 };
    records.set(name, record);
    return record;
  };
  return {
    strike(name) {
      const record = recordOf(name);
      if (now() - record.last >= FORGIVEN_MS) record.strikes = 0;
      record.last = now();
      record.clean = 0;
      const strikes = ++record.strikes;
      if (strikes >= IN_A_ROW && record.standing !== "disabled") {
        record.standing = record.standing === "shared" ? "own" : "disabled";
        record.strikes = 0;
      }
      return { strikes, standing: record.standing };
    },
    clean(name) {
      const record = records.get(name);
      if (record !== undefined && ++record.clean >= CLEAN_CALLS) record.strikes = 0;
    },
    standing: (name) => records.get(name)?.standing ?? "shared",
    reset(name, standing) {
      records.set(name, { standing, strikes: 0, clean: 0, last: 0 });
    },
  };
}

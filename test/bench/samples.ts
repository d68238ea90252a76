export type Unit = "us" | "MB" | "count" | "times";

/** What was measured of one case: the values of each round. */
export type Samples = { unit: Unit; rounds: readonly (readonly number[])[] };

export type Summary = { median: number; p10: number; p90: number; n: number };

export function summary(samples: Samples): Summary {
  const all = samples.rounds.flat();
  return { median: quantile(all, 0.5), p10: quantile(all, 0.1), p90: quantile(all, 0.9), n: all.length };
}

/** What `a` took above `b` in the same round: one value a round, so that what slowed a round down does not count. */
export function minus(a: Samples, b: Samples): Samples {
  return { unit: a.unit, rounds: paired(a, b, (x, y) => x - y) };
}

/** How many times `b` goes into `a` of the same round. */
export function ratio(a: Samples, b: Samples): Summary {
  return summary({ unit: "times", rounds: paired(a, b, (x, y) => x / y) });
}

/** Linear between the two nearest values; NaN where there are none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  return low === undefined || high === undefined ? Number.NaN : low + (high - low) * (at - Math.floor(at));
}

function paired(a: Samples, b: Samples, of: (x: number, y: number) => number): number[][] {
  return a.rounds.flatMap((values, i) => {
    const others = b.rounds[i];
    return others === undefined ? [] : [[of(quantile(values, 0.5), quantile(others, 0.5))]];
  });
}

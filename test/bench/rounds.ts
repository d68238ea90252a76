import type { Samples } from "./samples.ts";

/** One thing to measure. `sample` runs it a few times and answers microseconds a time. */
export type Case = { name: string; sample(): Promise<number[]> };

export type Results = Map<string, Samples>;

/** Runs every case once a round, so that all of them see the same noise. Rounds to warm up are not kept. */
export async function runRounds(cases: readonly Case[], rounds: number, warmup: number, progress: (text: string) => void): Promise<Results> {
  const kept = new Map<string, number[][]>(cases.map(({ name }) => [name, []]));
  for (let round = -warmup; round < rounds; round++) {
    progress(round < 0 ? "warming up" : `round ${round + 1} of ${rounds}`);
    for (const { name, sample } of cases) {
      const values = await sample();
      if (round >= 0) kept.get(name)?.push(values);
    }
  }
  return new Map([...kept].map(([name, values]) => [name, { unit: "us", rounds: values }]));
}

/** `count` runs, one after the other, each timed. */
export async function each(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await run();
    values.push((performance.now() - started) * 1000);
  }
  return values;
}

/** For what is too short for the clock: the mean of `count` runs. */
export async function mean(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const started = performance.now();
  for (let i = 0; i < count; i++) await run();
  return [((performance.now() - started) * 1000) / count];
}

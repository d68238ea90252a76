import { agentGoals } from "./agent.ts";
import { chainName } from "./calls.ts";
import { filesGoals } from "./files.ts";
import { indexGoals } from "./index-real.ts";
import { nestedGoals } from "./nested.ts";
import { permissionGoals } from "./permission.ts";
import type { Results } from "./rounds.ts";
import { minus, ratio, type Samples, type Summary, summary, type Unit } from "./samples.ts";
import { searchingGoals } from "./searching.ts";
import { sessionsGoals } from "./sessions.ts";

export type Goal = {
  name: string;
  /** `most` is a limit from above, `least` one from below. */
  bound: { most: number } | { least: number };
  unit: Unit | "per s";
  measured: Summary;
  met: boolean;
};

export type Wanted = Pick<Goal, "name" | "bound" | "unit"> & { measure(get: (name: string) => Samples): Summary };

const layers = (get: (name: string) => Samples, depth: number, size: "100 B" | "10 KB" | "1 MB") =>
  minus(get(chainName(depth, size)), get(chainName(0, size)));
const above = (name: string, base: string) => (get: (name: string) => Samples) => summary(minus(get(name), get(base)));
const alone = (name: string) => (get: (name: string) => Samples) => summary(get(name));

const wanted: readonly Wanted[] = [
  { name: "no layers: messages to the runner", bound: { most: 0 }, unit: "count", measure: alone("empty call messages") },
  { name: "no layers: the two empty stages", bound: { most: 20 }, unit: "us", measure: alone("empty stages") },
  { name: "no layers: a whole call that the host answers", bound: { most: 20 }, unit: "us", measure: alone("empty call") },
  {
    name: "one layer, cheaper than a hook in Node",
    bound: { least: 60 },
    unit: "times",
    measure: (get) => ratio(get("node hook"), layers(get, 1, "100 B")),
  },
  {
    name: "one layer, cheaper than sh -c true",
    bound: { least: 3 },
    unit: "times",
    measure: (get) => ratio(get("sh -c true"), layers(get, 1, "100 B")),
  },
  { name: "five layers against one", bound: { most: 2.5 }, unit: "times", measure: (get) => ratio(layers(get, 5, "100 B"), layers(get, 1, "100 B")) },
  {
    name: "one layer, 1 MB above 100 B",
    bound: { most: 5_000 },
    unit: "us",
    measure: (get) => summary(minus(layers(get, 1, "1 MB"), layers(get, 1, "100 B"))),
  },
  {
    name: "100 calls at once, one layer",
    bound: { least: 10_000 },
    unit: "per s",
    measure: (get) => {
      const { median, p10, p90, n } = summary(get("concurrent"));
      return { median: 1e6 / median, p10: 1e6 / p90, p90: 1e6 / p10, n };
    },
  },
  {
    name: "1 s after another plugin's first strike",
    bound: { most: 2 },
    unit: "times",
    measure: (get) => ratio(get("calm after"), get("calm before")),
  },
  { name: "killed runner, five plugins", bound: { most: 300_000 }, unit: "us", measure: alone("killed, no spare") },
  { name: "killed runner, five plugins, warm spare", bound: { most: 50_000 }, unit: "us", measure: alone("killed, spare") },
  {
    name: "mortise --version against node -e 0",
    bound: { most: 1.6 },
    unit: "times",
    measure: (get) => ratio(get("mortise --version"), get("node -e 0")),
  },
  { name: "mortise call ping above node -e 0", bound: { most: 250_000 }, unit: "us", measure: above("mortise call ping", "node -e 0") },
  { name: "mortise call read above node -e 0", bound: { most: 250_000 }, unit: "us", measure: above("mortise call read", "node -e 0") },
  { name: "an idle plugin in the runner", bound: { most: 4 }, unit: "MB", measure: alone("idle plugin") },
  ...permissionGoals,
  ...filesGoals,
  ...searchingGoals,
  ...sessionsGoals,
  ...agentGoals,
  ...nestedGoals,
  ...indexGoals,
  { name: "isolates before first use", bound: { most: 0 }, unit: "count", measure: alone("isolates before use") },
];

/** The goals that these results say something about. */
export function goals(results: Results): Goal[] {
  return wanted.flatMap(({ name, bound, unit, measure }) => {
    let missing = false;
    const get = (of: string): Samples => {
      const samples = results.get(of);
      missing ||= samples === undefined;
      return samples ?? { unit: "us", rounds: [] };
    };
    const measured = measure(get);
    if (missing || Number.isNaN(measured.median)) return [];
    return [{ name, bound, unit, measured, met: "most" in bound ? measured.median <= bound.most : measured.median >= bound.least }];
  });
}

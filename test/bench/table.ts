import { agentLayout } from "./agent.ts";
import { chainName, depths, type Size, sizes } from "./calls.ts";
import { filesLayout } from "./files.ts";
import type { Goal } from "./goals.ts";
import { indexLayout } from "./index-real.ts";
import { nestedLayout } from "./nested.ts";
import { permissionLayout } from "./permission.ts";
import type { Results } from "./rounds.ts";
import { minus, ratio, type Samples, summary, type Unit } from "./samples.ts";
import { searchingLayout } from "./searching.ts";
import { sessionsLayout } from "./sessions.ts";
import { pluginCounts } from "./starts.ts";

export type Row = { name: string; unit: Unit; median: number; p10: number; p90: number; n: number; ratio?: number };
/** `ratioTo`: what the ratios of its rows are to. */
export type Section = { title: string; ratioTo?: string; rows: Row[] };

type Line = { name: string; of: string; above?: string; against?: string; againstAbove?: string };

const chains = (Object.keys(sizes) as Size[]).flatMap((size) =>
  depths.map((depth): Line & { name: string } => ({
    name: `${depth} ${depth === 1 ? "layer" : "layers"}, ${size}`,
    of: chainName(depth, size),
    above: chainName(0, size),
    ...(depth === 1 ? {} : { against: chainName(1, size), againstAbove: chainName(0, size) }),
  })),
);

export type Layout = readonly { title: string; ratioTo?: string; lines: readonly Line[] }[];

const layout: Layout = [
  {
    title: "A call without layers",
    ratioTo: "to the function",
    lines: [
      { name: "a plain async function", of: "function" },
      { name: "the two empty stages of a call", of: "empty stages", against: "function" },
      { name: "a whole call of a tool that the host answers", of: "empty call", against: "function" },
    ],
  },
  { title: "Layers, each in an isolate of its own: a call with them minus the same call without", ratioTo: "to one layer", lines: chains },
  { title: "100 calls at once, each with one layer: one call's share", lines: [{ name: "1 layer, 100 B", of: "concurrent" }] },
  {
    title: "The same chains in process, isolated from nothing",
    lines: depths.flatMap((depth) => [
      { name: `koa-compose, ${depth}`, of: `koa-compose ${depth}` },
      { name: `tapable AsyncSeriesWaterfallHook, ${depth}`, of: `tapable ${depth}` },
    ]),
  },
  {
    title: "Hooks started for each event: a JSON line in, one out",
    ratioTo: "to one layer",
    lines: [
      { name: "sh -c true", of: "sh -c true" },
      { name: "sh -c, read and printf", of: "sh hook" },
      { name: "node -e", of: "node hook" },
      { name: "python3 -c", of: "python hook" },
    ].map((line) => ({ ...line, against: chainName(1, "100 B"), againstAbove: chainName(0, "100 B") })),
  },
  ...permissionLayout,
  ...filesLayout,
  ...searchingLayout,
  ...sessionsLayout,
  ...agentLayout,
  ...nestedLayout,
  ...indexLayout,
  {
    title: "One plugin loaded into a host that runs",
    ratioTo: "to cold",
    lines: [
      { name: "cold: bundled and described", of: "load cold" },
      { name: "from the cache", of: "load cached", against: "load cold" },
    ],
  },
  {
    title: "A program that embeds a host, from its start until the host is ready, plugins cached",
    ratioTo: "to node -e 0",
    lines: [
      { name: "node -e 0, to its end", of: "node -e 0" },
      ...pluginCounts.map((count) => ({ name: `${count} plugins`, of: `start ${count}`, against: "node -e 0" })),
    ],
  },
  {
    title: "The command line, whole processes",
    ratioTo: "to node -e 0",
    lines: [
      { name: "mortise --version", of: "mortise --version", against: "node -e 0" },
      { name: "mortise call ping --plugin ping.ts", of: "mortise call ping", against: "node -e 0" },
      { name: "mortise call read", of: "mortise call read", against: "node -e 0" },
      { name: "mortise call bash", of: "mortise call bash", against: "node -e 0" },
    ],
  },
  {
    title: "Memory of the runner",
    lines: [
      { name: "with one plugin in use", of: "runner" },
      { name: "each further idle plugin", of: "idle plugin" },
    ],
  },
  {
    title: "Calls of one plugin while another spins at every other call",
    ratioTo: "to before",
    lines: [
      { name: "before", of: "calm before" },
      { name: "until 1 s after the first strike", of: "calm struck", against: "calm before" },
      { name: "from 1 s to 3 s after the first strike", of: "calm after", against: "calm before" },
    ],
  },
  {
    title: "The runner is killed with five plugins loaded: until a call that all five answered",
    ratioTo: "to a spare",
    lines: [
      { name: "with a warm spare", of: "killed, spare" },
      { name: "without a spare", of: "killed, no spare", against: "killed, spare" },
    ],
  },
];

/** What was measured, in the order it is read in. What was not measured is left out. */
export function sections(results: Results): Section[] {
  return layout.map(({ lines, ...rest }) => ({ ...rest, rows: lines.flatMap((line) => row(results, line)) })).filter(({ rows }) => rows.length > 0);
}

function row(results: Results, { name, of, above, against, againstAbove }: Line): Row[] {
  const samples = difference(results, of, above);
  if (samples === undefined) return [];
  const other = against === undefined ? undefined : difference(results, against, againstAbove);
  return [
    {
      name,
      unit: samples.unit,
      ...summary(samples),
      ...(against === undefined || other === undefined ? {} : { ratio: ratio(samples, other).median }),
    },
  ];
}

function difference(results: Results, of: string, above: string | undefined): Samples | undefined {
  const samples = results.get(of);
  const base = above === undefined ? undefined : results.get(above);
  return samples === undefined || base === undefined ? samples : minus(samples, base);
}

/** At most 100 columns. */
export function printed(all: readonly Section[], goals: readonly Goal[]): string {
  const lines: string[] = [];
  const columns = (first: string, ...rest: string[]) => first.padEnd(50) + rest.map((text, i) => text.padStart(i === 3 ? 17 : 11)).join("");
  for (const { title, ratioTo, rows } of all) {
    lines.push("", title, columns("", "median", "p10", "p90", ratioTo ?? "").trimEnd());
    for (const { name, unit, median, p10, p90, ratio: times } of rows) {
      lines.push(
        columns(`  ${name}`, shown(median, unit), shown(p10, unit), shown(p90, unit), times === undefined ? "" : `${digits(times)}x`).trimEnd(),
      );
    }
  }
  lines.push("", "Goals", columns("", "measured", "p10", "p90", "goal"));
  for (const { name, unit, bound, measured, met } of goals) {
    const bounds = "most" in bound ? `<= ${shown(bound.most, unit)}` : `>= ${shown(bound.least, unit)}`;
    const wide = columns(
      `${met ? "met   " : "MISSED"} ${name}`,
      shown(measured.median, unit),
      shown(measured.p10, unit),
      shown(measured.p90, unit),
      bounds,
    );
    lines.push(wide);
  }
  return `${lines.join("\n").trimStart()}\n`;
}

function shown(value: number, unit: Goal["unit"]): string {
  switch (unit) {
    case "us":
      return Math.abs(value) < 1_000 ? `${digits(value)} µs` : `${digits(value / 1_000)} ms`;
    case "MB":
      return `${digits(value)} MB`;
    case "times":
      return `${digits(value)}x`;
    case "per s":
      return `${digits(value)}/s`;
    case "count":
      return String(value);
  }
}

/** Three digits that count. */
function digits(value: number): string {
  const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(decimals);
}

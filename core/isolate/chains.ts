import type { Packed } from "../../sdk/wire.ts";
import { type Base, createBase } from "./chain-base.ts";
import type { Loss } from "./flights.ts";
import type { ChainLayer, ChainRequest, ChainResult, Failure, InvokeRequest, InvokeResult, LayerRecord, Seen } from "./isolates.ts";
import { isTooLarge, joinData, splitData, toPacked, toValue } from "./packed-values.ts";
import { failureOf, type Places } from "./places.ts";
import type { Digest } from "./protocol/digest.ts";
import type { BelowHead, RunnerMessage } from "./protocol/messages.ts";
import { readValue, type WireValue, writeValue } from "./protocol/values.ts";
import type { Runner } from "./runner.ts";
import { hasData, isFixed } from "./tables.ts";
import type { Version } from "./versions.ts";

/** A value on its way; `data` of an output is kept apart. */
export type Draft = { value: Packed; data: Packed | null };
export type Below = { head: BelowHead; draft: Draft; records: LayerRecord[] };

type Run = {
  request: ChainRequest;
  places: Places;
  /** The versions that the chain began with. */
  versions: ReadonlyMap<string, Version>;
  base: Base;
  /** What came to the chain. */
  first: Draft;
  /** Plugins whose layers do not run any more in this chain. */
  failures: Map<string, Failure>;
  /** How often a runner died under it. */
  deaths: number;
};

/** Runs a chain: the layers that live in one runner as one message, the rest behind that one's base. */
export async function runChain(
  request: ChainRequest,
  versions: ReadonlyMap<string, Version>,
  places: Places,
  invoke: (request: InvokeRequest) => Promise<InvokeResult>,
): Promise<ChainResult> {
  const first = hasData(request.spec) ? splitData(request.value) : { value: request.value, data: null };
  const run: Run = { request, versions, places, base: createBase(request, invoke), first, failures: new Map(), deaths: 0 };
  const { head, draft, records } = await runLayers(run, request.layers, first);
  return { end: endOf(request, head), value: joinData(draft.value, draft.data), records };
}

function endOf(request: ChainRequest, head: BelowHead): ChainResult["end"] {
  if (request.signal?.aborted === true) return { kind: "cancelled" };
  return head.kind === "error" ? { kind: "blocked", failure: head.failure } : head;
}

type Placed = { layer: ChainLayer; version: Version; runner: Runner };

async function runLayers(run: Run, layers: readonly ChainLayer[], draft: Draft): Promise<Below> {
  const [first] = layers;
  if (run.request.signal?.aborted === true) return { head: { kind: "value" }, draft, records: [] };
  if (first === undefined) return { ...(await run.base.run(draft)), records: [] };
  if (isTooLarge(draft.value) || (draft.data !== null && isTooLarge(draft.data)))
    return passOver(run, layers, draft, failureOf("payload_too_large", first.plugin));
  const placed = placeOf(run, first);
  if ("code" in placed) return passOver(run, layers, draft, placed);
  const group = [placed];
  for (const layer of layers.slice(1)) {
    const next = placeOf(run, layer);
    if ("code" in next || next.runner !== placed.runner) break;
    group.push(next);
  }
  return runGroup(run, group, layers, draft);
}

function placeOf(run: Run, layer: ChainLayer): Placed | Failure {
  const version = run.versions.get(layer.plugin);
  const failed = run.failures.get(layer.plugin);
  if (failed !== undefined) return failed;
  if (version === undefined) return failureOf("unknown_plugin", layer.plugin, layer.plugin);
  const place = run.places.of(version);
  return "failure" in place ? place.failure : { layer, version, runner: place.runner };
}

/** A layer that cannot run fails at once, by its own policy. */
async function passOver(run: Run, layers: readonly ChainLayer[], draft: Draft, failure: Failure): Promise<Below> {
  const [layer, ...rest] = layers as [ChainLayer, ...ChainLayer[]];
  const block = layer.onFailure === "block";
  const { slot } = run.request;
  const record: LayerRecord = { slot, plugin: layer.plugin, handler: layer.handler, ms: 0, outcome: block ? "failed" : "skipped", failure };
  if (block) return { head: { kind: "blocked", failure }, draft, records: [record] };
  const below = await runLayers(run, rest, draft);
  return { ...below, records: [record, ...below.records] };
}

/** Sends layers to their runner. Where it dies, they run again once, without the one that killed it. */
async function runGroup(run: Run, group: readonly Placed[], layers: readonly ChainLayer[], draft: Draft): Promise<Below> {
  const came = await send(run, group, layers.slice(group.length), draft);
  if (!("code" in came)) return came;
  run.deaths++;
  for (const { layer } of group) {
    const { plugin } = layer;
    if (run.failures.has(plugin)) continue;
    if (plugin === came.guilty && !run.places.closed()) run.failures.set(plugin, failureOf(came.mine ? came.code : "isolate_lost", plugin));
    else if (run.deaths > 1 || run.places.closed()) run.failures.set(plugin, failureOf("runner_lost", plugin));
  }
  return runLayers(run, layers, draft);
}

function send(run: Run, group: readonly Placed[], rest: readonly ChainLayer[], draft: Draft): Promise<Below | Loss> {
  const { request } = run;
  const { runner } = group[0]!;
  const { promise, resolve } = Promise.withResolvers<Below | Loss>();
  const known = [...draft.value.blobs, ...(draft.data?.blobs ?? [])];
  const parts = [JSON.stringify(request.ctx)];
  const value = writeValue(toValue(draft.value), parts);
  const data = draft.data === null ? null : writeValue(toValue(draft.data), parts);
  const base = rest.length > 0 ? { head: "host" as const, version: undefined } : baseIn(run, runner);
  const versions = group.map(({ version }) => version);
  let records: LayerRecord[] = [];

  const id = runner.request(
    { callKey: request.callKey, known, hear, lost: land },
    base.version === undefined ? versions : [...versions, base.version],
    (id) => ({
      t: "chain",
      id,
      spec: request.spec,
      fixed: isFixed(request.spec),
      windowMs: request.windowMs,
      sliceMs: request.sliceMs,
      budgetMs: request.budgetMs,
      layers: group.map(({ layer, version }) => ({
        plugin: version.number,
        handler: layer.handler,
        block: layer.onFailure === "block",
        data: layer.data,
      })),
      base: base.head,
      ctx: 0,
      value,
      data,
    }),
    parts,
  );
  const cancel = (): void => runner.send({ t: "cancel", id });
  request.signal?.addEventListener("abort", cancel, { once: true });
  return promise;

  function hear(message: RunnerMessage, from: readonly string[]): void {
    const draftOf = (each: { value: WireValue; data: WireValue | null }): Draft => ({
      value: toPacked(readValue(each.value, from, known)),
      data: each.data === null ? null : toPacked(readValue(each.data, from, known)),
    });
    if (message.t === "base") {
      void runLayers(run, rest, draftOf(message)).then((below) => {
        records = below.records;
        answerBase(runner, message.request, below);
      });
    } else if (message.t !== "chain") throw new RangeError(`A chain answered by ${message.t}`);
    else {
      const own = message.records.map((record): LayerRecord => {
        const layer = group[record.layer]?.layer;
        if (layer === undefined) throw new RangeError(`No layer ${record.layer}`);
        const { layer: _, before, after, ...report } = record;
        const seen = (each: WireValue | Digest): Seen => ("sha256" in each ? each : toPacked(readValue(each, from, known)));
        // A runner leaves out what came to it, which is not what came to the chain where layers elsewhere changed that.
        const met = before === undefined ? (after === undefined || draft === run.first ? undefined : draft.value) : seen(before);
        if (report.failure === undefined) run.places.clean(layer.plugin);
        return {
          slot: request.slot,
          plugin: layer.plugin,
          handler: layer.handler,
          ms: report.ms,
          outcome: report.outcome,
          ...(met === undefined ? {} : { before: met }),
          ...(after === undefined ? {} : { after: seen(after) }),
          ...(report.reason === undefined ? {} : { reason: report.reason }),
          ...(report.failure === undefined ? {} : { failure: report.failure }),
        };
      });
      land({ head: message.below, draft: draftOf(message), records: [...own, ...records] });
    }
  }

  function land(came: Below | Loss): void {
    request.signal?.removeEventListener("abort", cancel);
    runner.land(id);
    resolve(came);
  }
}

/** Where the innermost `prev` is answered: in the runner wherever that can be. */
function baseIn(run: Run, runner: Runner): { head: "identity" | "host" | { plugin: number; handler: number }; version: Version | undefined } {
  const { base } = run.request;
  if (base === "identity") return { head: "identity", version: undefined };
  const version = typeof base === "function" ? undefined : run.versions.get(base.plugin);
  if (typeof base === "function" || version === undefined) return { head: "host", version: undefined };
  const place = run.places.of(version);
  if ("failure" in place || place.runner !== runner) return { head: "host", version: undefined };
  return { head: { plugin: version.number, handler: base.handler }, version };
}

function answerBase(runner: Runner, request: number, { head, draft }: Below): void {
  const parts: string[] = [];
  const value = writeValue(toValue(draft.value), parts);
  const data = draft.data === null ? null : writeValue(toValue(draft.data), parts);
  runner.send({ t: "below", request, below: head, value, data }, parts);
}

import { type Code, sentence } from "../../../sdk/errors.ts";
import type { Digest } from "../protocol/digest.ts";
import type { HostMessage } from "../protocol/messages.ts";
import { readValue, sameValue, type Value, valueOrDigest, type WireValue, writeValue } from "../protocol/values.ts";
import type { Below, Draft, Failure } from "./below.ts";
import type { Invocations } from "./invocations.ts";
import { callLayer, KEPT_CHARS, type LayerCall, type LayerReport } from "./layer-call.ts";
import type { Loading } from "./loading.ts";
import type { Resident } from "./residents.ts";
import type { Speech } from "./speech.ts";
import type { Turns } from "./turns.ts";

export type ChainMessage = Extract<HostMessage, { t: "chain" }>;

export type Chains = {
  run(message: ChainMessage, parts: readonly string[]): void;
  /** Ends a chain: the layers that had not answered are cut. */
  cancel(id: number): void;
  /** What the host's base answered. */
  below(request: number, below: Below): void;
};

type Chain = {
  message: ChainMessage;
  ctx: string;
  first: Draft;
  records: { layer: number; report: LayerReport }[];
  active: Map<number, LayerCall>;
  over: boolean;
};

export function createChains(
  residents: ReadonlyMap<number, Resident>,
  loading: Loading,
  turns: Turns,
  invocations: Invocations,
  speech: Speech,
): Chains {
  const chains = new Map<number, Chain>();
  const bases = new Map<number, (below: Below) => void>();
  let lastBase = 0;

  return {
    run(message, parts) {
      const value = known(readValue(message.value, parts, []), 0);
      const data = message.data === null ? null : known(readValue(message.data, parts, []), value.blobs.length);
      const chain: Chain = { message, ctx: parts[message.ctx] ?? "{}", first: { value, data }, records: [], active: new Map(), over: false };
      chains.set(message.id, chain);
      enter(chain, 0, chain.first, (below) => finish(chain, below));
    },
    cancel(id) {
      const chain = chains.get(id);
      if (chain === undefined) return;
      for (const [index, call] of chain.active) chain.records[index]!.report = call.cut();
      finish(chain, { head: { kind: "value" }, draft: chain.first });
    },
    below(request, below) {
      const up = bases.get(request);
      bases.delete(request);
      up?.(below);
    },
  };

  function enter(chain: Chain, index: number, draft: Draft, up: (below: Below) => void): void {
    if (chain.over) return;
    const layer = chain.message.layers[index];
    if (layer === undefined) {
      runBase(chain, draft, up);
      return;
    }
    const resident = residents.get(layer.plugin);
    const place = chain.records.push({ layer: index, report: { ms: 0, outcome: "cut" } }) - 1;
    if (resident === undefined) {
      failed("internal", sentence("internal"));
      return;
    }
    const began = performance.now();
    loading.open(
      resident,
      (live) => {
        if (chain.over) return;
        const call = callLayer(
          turns,
          live,
          { ...layer, plugin: resident.name },
          { ...chain.message, of: chain.message.id, ctx: chain.ctx },
          draft,
          (passed, from) => enter(chain, index + 1, passed, from),
          (below, report) => {
            chain.active.delete(place);
            chain.records[place]!.report = report;
            up(below);
          },
        );
        chain.active.set(place, call);
      },
      failed,
    );

    function failed(code: Code, message: string): void {
      if (chain.over) return;
      const failure: Failure = { code, message, plugin: resident?.name ?? "" };
      const ms = performance.now() - (began ?? performance.now());
      chain.records[place]!.report = { ms, outcome: layer!.block ? "failed" : "skipped", failure };
      if (layer!.block) up({ head: { kind: "blocked", failure }, draft });
      else enter(chain, index + 1, draft, up);
    }
  }

  function runBase(chain: Chain, draft: Draft, up: (below: Below) => void): void {
    const { base, id } = chain.message;
    if (base === "identity") {
      up({ head: { kind: "value" }, draft });
      return;
    }
    if (base !== "host") {
      invocations.base(chain.message, base, draft.value, (head, value) => up({ head, draft: { value: value ?? draft.value, data: draft.data } }));
      return;
    }
    const request = ++lastBase;
    bases.set(request, up);
    const parts: string[] = [];
    const value = writeValue(draft.value, parts);
    speech.say({ t: "base", id, request, value, data: draft.data === null ? null : writeValue(draft.data, parts) }, parts);
  }

  function finish(chain: Chain, below: Below): void {
    if (chain.over) return;
    chain.over = true;
    chains.delete(chain.message.id);
    const parts: string[] = [];
    const { head, draft } = below;
    speech.say(
      {
        t: "chain",
        id: chain.message.id,
        below: head,
        value: writeValue(draft.value, parts),
        data: draft.data === null ? null : writeValue(draft.data, parts),
        records: chain.records.map(({ layer, report: { before, after, ...rest } }) => ({
          layer,
          ...rest,
          ...(before === undefined || sameValue(before, chain.first.value) ? {} : { before: seen(valueOrDigest(before, KEPT_CHARS), parts) }),
          ...(after === undefined ? {} : { after: seen(after, parts) }),
        })),
      },
      parts,
    );
  }
}

function seen(value: Value | Digest, parts: string[]): WireValue | Digest {
  return "sha256" in value ? value : writeValue(value, parts);
}

/** Numbers the long strings of a request, so that they go back as references. */
function known(value: Value, from: number): Value {
  return { json: value.json, blobs: value.blobs.map((blob, index) => ({ text: blob.text, known: from + index })) };
}

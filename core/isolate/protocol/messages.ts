import * as z from "zod/mini";
import { type Code, isCode } from "../../../sdk/errors.ts";

/** Heads of frames. What a runner says is parsed by the host: plugin code may have taken the runner over. */

const Wire = z.array(z.int());
const Id = z.int().check(z.minimum(0));
const CodeText = z.custom<Code>(isCode);
const Failure = z.object({ code: CodeText, message: z.string(), plugin: z.string() });
const Ms = z.number().check(z.minimum(0));

/** How a chain, or the part of it below a layer, came out. An `error` of the base is no verdict: a layer may recover. */
const Below = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("value") }),
  z.object({ kind: z.literal("deny"), plugin: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("ask"), plugin: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("respond"), plugin: z.string(), text: z.string() }),
  z.object({ kind: z.literal("blocked"), failure: Failure }),
  z.object({ kind: z.literal("error"), failure: Failure }),
]);
export type BelowHead = z.infer<typeof Below>;

/** A value as a layer met or made it, or what is left of one that is long. */
const Seen = z.union([Wire, z.object({ bytes: Id, sha256: z.string() })]);

const Outcome = z.enum(["passed", "changed", "denied", "asked", "responded", "skipped", "failed", "cut"]);

const Answer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("value"), value: Wire }),
  z.object({ kind: z.literal("nothing") }),
  z.object({ kind: z.literal("deny"), reason: z.string() }),
  z.object({ kind: z.literal("ask"), reason: z.string(), input: z.nullable(Wire) }),
  z.object({ kind: z.literal("respond"), text: z.string() }),
]);
export type AnswerHead = z.infer<typeof Answer>;

export const RunnerMessage = z.discriminatedUnion("t", [
  z.object({ t: z.literal("ready") }),
  z.object({ t: z.literal("pong"), n: Id }),
  z.object({
    t: z.literal("chain"),
    id: Id,
    below: Below,
    value: Wire,
    data: z.nullable(Wire),
    records: z.array(
      z.object({
        layer: Id,
        ms: Ms,
        outcome: Outcome,
        before: z.optional(Seen),
        after: z.optional(Seen),
        reason: z.optional(z.string()),
        failure: z.optional(Failure),
      }),
    ),
  }),
  z.object({ t: z.literal("invoked"), id: Id, answer: Answer, cpuMs: Ms }),
  z.object({ t: z.literal("failed"), id: Id, failure: Failure, cpuMs: Ms }),
  z.object({ t: z.literal("base"), id: Id, request: Id, value: Wire, data: z.nullable(Wire) }),
  z.object({ t: z.literal("call"), request: Id, plugin: Id, of: Id, method: z.string(), args: Wire }),
  z.object({ t: z.literal("log"), plugin: Id, level: z.enum(["debug", "info", "warn", "error"]), text: z.string() }),
  z.object({ t: z.literal("strike"), plugin: Id, code: CodeText }),
  z.object({ t: z.literal("described"), id: Id, manifest: Id }),
]);
export type RunnerMessage = z.infer<typeof RunnerMessage>;

export type LimitsHead = { windowMs: number; sliceMs: number; budgetMs: number };

/** Numbers name plugins: each version of one has its own. */
export type HostMessage =
  /** Parts: the prelude, the tables of the contract, the describer. */
  | { t: "init" }
  /** Makes and ends an isolate, so that the first one of use comes sooner. */
  | { t: "warm" }
  /** Parts: the code, its options, its manifest. */
  | { t: "plugin"; plugin: number; name: string; memoryMb: number }
  | { t: "forget"; plugin: number }
  | (LimitsHead & {
      t: "chain";
      id: number;
      spec: string;
      fixed: boolean;
      layers: { plugin: number; handler: number; block: boolean; data: boolean }[];
      base: "identity" | "host" | { plugin: number; handler: number };
      /** The part that holds the context. */
      ctx: number;
      value: number[];
      data: number[] | null;
    })
  | (LimitsHead & { t: "invoke"; id: number; plugin: number; handler: number; kind: string; graceMs: number; args: number[][] })
  | { t: "cancel"; id: number }
  | { t: "below"; request: number; below: BelowHead; value: number[]; data: number[] | null }
  | { t: "answer"; request: number; value: number[] }
  | { t: "refuse"; request: number; code: string; message: string }
  /** Parts: the code, its options. */
  | { t: "describe"; id: number; plugin: number; memoryMb: number; sliceMs: number }
  /** Parts: the script, its tools. */
  | { t: "program"; id: number; plugin: number; memoryMb: number; timeoutMs: number }
  | { t: "ping"; n: number };

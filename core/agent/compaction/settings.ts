import type { Model } from "../../models/model.ts";
import { MIN_OUTPUT } from "../limits.ts";

export type CompactionSettings = {
  /** Whether it happens by itself, when the context is full or the provider says so. */
  auto: boolean;
  /** What is kept free: a share of the window below 1, or tokens. */
  buffer: number;
  /** Added to what the summary is asked for. */
  instructions: string;
  /** Added to the message that goes on after one. */
  resume: string;
  /** Tokens of the last messages that are kept as they were, at most. */
  tailTokens: number;
};

export const defaultCompaction: CompactionSettings = { auto: true, buffer: 0.2, instructions: "", resume: "", tailTokens: 20_000 };

const MIN_BUFFER = 1_000;

/** Tokens of a window that a prompt may fill before it is compacted. Half of a small window is never reserved away. */
export function usableTokens({ contextWindow, maxOutput }: Pick<Model, "contextWindow" | "maxOutput">, { buffer }: CompactionSettings): number {
  const wanted = buffer < 1 ? contextWindow * buffer : buffer;
  const kept = Math.min(Math.max(wanted, MIN_BUFFER), contextWindow * 0.99);
  return Math.floor(contextWindow - Math.min(contextWindow * 0.5, Math.max(kept, Math.min(MIN_OUTPUT, maxOutput))));
}

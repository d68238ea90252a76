import type { Model } from "../models/model.ts";
import { MIN_OUTPUT } from "./limits.ts";

/** Tokens that an answer may have: what is wanted, as the model and what is left of its window allow; never less than an answer needs. */
export function outputBudget({ contextWindow, maxOutput }: Pick<Model, "contextWindow" | "maxOutput">, promptTokens: number, wanted: number): number {
  const floor = Math.min(MIN_OUTPUT, maxOutput);
  return Math.max(Math.min(wanted, maxOutput, contextWindow - promptTokens), floor);
}

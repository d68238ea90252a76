import type { LanguageModelV4 } from "@ai-sdk/provider";
import * as z from "zod/mini";

const Usd = z.number().check(z.minimum(0));
const rates = { input: Usd, output: Usd, cacheRead: Usd, cacheWrite: Usd };

/** US dollars for a million tokens. `above` counts for the whole of a request whose input is longer. */
export const Price = z.strictObject({
  ...rates,
  above: z.optional(z.strictObject({ inputTokens: z.number().check(z.int(), z.minimum(1)), ...rates })),
});
export type Price = z.infer<typeof Price>;

export const tiers = ["weak", "medium", "strong"] as const;
export type Tier = (typeof tiers)[number];

/** A model that is ready to be asked. */
export type Model = {
  /** `provider/name`, as it was asked for. */
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly languageModel: LanguageModelV4;
  /** Tokens of a prompt and its answer together. */
  readonly contextWindow: number;
  /** Tokens of one answer, at most. */
  readonly maxOutput: number;
  /** Null where it is not known. */
  readonly price: Price | null;
  /** Whether it takes images. */
  readonly images: boolean;
};

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

/** What the AI SDK calls a `LanguageModelV4`: whatever its providers make. What it is asked and answers is theirs, so a program needs none of their types. */
export type LanguageModel = {
  readonly specificationVersion: "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
};

/** A model that is ready to be asked. */
export type Model = {
  /** `provider/name`, as it was asked for. */
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly languageModel: LanguageModel;
  /** Tokens of a prompt and its answer together. */
  readonly contextWindow: number;
  /** Tokens of one answer, at most. */
  readonly maxOutput: number;
  /** Null where it is not known. */
  readonly price: Price | null;
  /** Whether it takes images. */
  readonly images: boolean;
};

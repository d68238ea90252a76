import type { LanguageModelV4 } from "@ai-sdk/provider";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import type { LanguageModel } from "./model.ts";

const SdkModel = z.custom<LanguageModelV4>(
  (value) =>
    typeof value === "object" && value !== null && "specificationVersion" in value && value.specificationVersion === "v4" && "doStream" in value,
);

/** The model as the AI SDK knows it. @throws MortiseError `unknown_model` for one that a program brought and that is none of version 4. */
export function sdkModel(model: LanguageModel): LanguageModelV4 {
  const parsed = SdkModel.safeParse(model);
  if (!parsed.success) throw new MortiseError("unknown_model", { seen: `${model.provider}/${model.modelId} is no LanguageModelV4 of the AI SDK` });
  return parsed.data;
}

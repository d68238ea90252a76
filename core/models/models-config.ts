import * as z from "zod/mini";
import { isSecret } from "../capabilities/secrets.ts";
import { Price, tiers } from "./model.ts";

const MAX_KEYS = 100;
const Text = z.string().check(z.minLength(1));
const ProviderName = z.string().check(z.regex(/^[a-z][a-z0-9._-]{0,63}$/, "expected a provider's name: lower case letters, digits, . - and _"));
const ModelSpec = z.string().check(z.regex(/^[a-z][a-z0-9._-]{0,63}\/\S+$/, "expected a model as provider/name"));
const Tokens = z.number().check(z.int(), z.minimum(1), z.maximum(100_000_000));
const Url = z.string().check(z.regex(/^https?:\/\/[^\s/]+/, "expected an address that begins with http:// or https://"));
/** By its name alone a variable is kept from plugins and from programs that tools start. */
const SecretVariable = z.string().check(
  z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of a variable"),
  z.refine((name) => isSecret(name), "expected a variable whose name says that it is secret, as MINE_API_KEY"),
);

const ModelConfig = z.strictObject({
  contextWindow: z.optional(Tokens),
  maxOutput: z.optional(Tokens),
  images: z.optional(z.boolean()),
  price: z.optional(Price),
  tier: z.optional(z.enum(tiers)),
});

const ProviderConfig = z.strictObject({
  url: z.optional(Url),
  kind: z.optional(z.enum(["openai-compatible", "anthropic", "openai", "google"])),
  /** Several are tried in turn where one is refused. */
  key: z.optional(z.union([Text, z.array(Text).check(z.minLength(1), z.maxLength(MAX_KEYS))])),
  keyEnv: z.optional(SecretVariable),
  headers: z.optional(z.record(z.string().check(z.regex(/^[A-Za-z0-9-]+$/, "expected a header's name")), z.string())),
  /** The strongest first. */
  models: z.optional(z.record(Text, ModelConfig)),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

/** `models` of the config. */
export const ModelsConfig = z.strictObject({
  default: z.optional(ModelSpec),
  tiers: z.optional(z.strictObject({ weak: z.optional(ModelSpec), medium: z.optional(ModelSpec), strong: z.optional(ModelSpec) })),
  providers: z.optional(z.record(ProviderName, ProviderConfig)),
});
export type ModelsConfig = z.infer<typeof ModelsConfig>;

import { isSecret } from "../capabilities/secrets.ts";

/** Removes secrets from a text. */
export type Clean = (text: string) => string;

const REDACTED = "[redacted]";
/** Shorter values are words that stand anywhere. */
const LEAST_CHARS = 8;

/** What keys look like, whoever they belong to. What looks behind is bounded, so that long texts take no longer than their length. */
const keyShapes: readonly RegExp[] = [
  /\b(sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})/g,
  /\bAIza[\w-]{30,}/g,
  /\b(xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,})/g,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(hf|gsk|xai|npm|r8|pplx)[-_][A-Za-z0-9]{20,}/g,
  /\beyJ[\w-]{8,4096}\.eyJ[\w-]{8,4096}\.[\w-]{8,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=\b(bearer|basic)\s{1,4})[A-Za-z0-9+/._~-]{12,}=*/gi,
  /(?<=\b(api[-_ ]?key|access[-_ ]?token|secret|password)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"',;]{8,}/gi,
  /(?<=[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,200}:)[^\s/@]+(?=@)/gi,
];

/** Takes out the values of secret variables, other values that are known to be secret, and what looks like a key. */
export function createClean(environment: NodeJS.ProcessEnv, others: readonly (string | undefined)[] = []): Clean {
  const values = [...Object.entries(environment).flatMap(([name, value]) => (isSecret(name) ? withItems(value) : [])), ...others];
  const known = [...new Set(values)]
    .filter((value): value is string => value !== undefined && value.length >= LEAST_CHARS)
    .sort((a, b) => b.length - a.length);
  return (text) => cleanKeys(known.reduce((left, value) => left.replaceAll(value, REDACTED), text));
}

/** A secret, and each one of a list of them. */
function withItems(value = ""): string[] {
  return [value, ...value.split(",").map((item) => item.trim())];
}

/** Takes out what looks like a key. */
export function cleanKeys(text: string): string {
  return keyShapes.reduce((left, shape) => left.replace(shape, REDACTED), text);
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";

const known = ["config.jsonc", "permissions.jsonc"];
const near = /^(configs?|permissions?)\.(jsonc?|json5|toml|ya?ml)$/i;

/** Files that a person meant to count and that nothing reads, each with what to do: a rule in one would be dropped without a word. */
export async function misnamedFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => near.test(name) && !known.includes(name))
    .map((name) => `${join(folder, name)}: rename it to ${/^c/i.test(name) ? known[0] : known[1]}, or remove it`);
}

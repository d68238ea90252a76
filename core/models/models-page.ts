import { curatedModel, modelTable } from "./facts.ts";
import { tiers } from "./model.ts";
import { packageOf } from "./providers/packaged.ts";
import { knownProviders, providerOf } from "./providers/provider-table.ts";

/** The tables of docs/models.md by their headings, made from those in the code. */
export function modelTables(): Readonly<Record<string, string>> {
  const providers = Object.keys(knownProviders);
  return {
    "Providers that need no config": table(
      ["provider", "address", "key", "package"],
      providers.map((name) => {
        const provider = providerOf(name, {});
        const key = provider?.needsKey === true ? provider.keyVariables.map(code).join(", else ") : "none";
        const own = provider === undefined ? undefined : packageOf(provider.kind);
        return [code(name), provider?.url === undefined ? "its own" : code(provider.url), key, own === undefined ? "" : code(own)];
      }),
    ),
    "Models of the tiers": table(
      ["provider", ...tiers],
      providers
        .filter((name) => tiers.some((tier) => curatedModel(name, tier) !== undefined))
        .map((name) => [
          code(name),
          ...tiers.map((tier) => {
            const model = curatedModel(name, tier);
            return model === undefined ? "" : code(model);
          }),
        ]),
    ),
  };
}

/** The month that the prices are of. */
export function pricesAsOf(): string {
  return modelTable().asOf;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

import { closeNames } from "../close-names.ts";
import type { Rule } from "./permission.ts";

/** What says something of a tool: a rule, or a default. */
export type AboutTool = { tool: string };

/** Those about a tool that is not there and whose name is nearly another's: what they say would be dropped without a word. */
export function aboutUnknownTools<T extends AboutTool>(all: readonly T[], tools: readonly string[]): { about: T; text: string }[] {
  return all.flatMap((about) => {
    if (about.tool.includes("*") || tools.includes(about.tool)) return [];
    const [close] = closeNames(about.tool, tools);
    return close === undefined ? [] : [{ about, text: `there is no tool ${JSON.stringify(about.tool)}; did you mean ${JSON.stringify(close)}?` }];
  });
}

/** The same of settings, each with its place. */
export function unknownToolsOf(
  { rules, defaults }: { rules: readonly Rule[]; defaults: Readonly<Record<string, { defaults: Readonly<Record<string, string>> }>> },
  tools: readonly { name: string }[],
): string[] {
  const all = [
    ...rules.map(({ tool, effect, pattern, from }) => ({ tool, place: from, what: `${effect} ${JSON.stringify(pattern ?? "*")}` })),
    ...Object.entries(defaults).flatMap(([layer, said]) =>
      Object.entries(said.defaults).map(([tool, effect]) => ({ tool, place: `"defaults" of the ${layer}'s permissions.jsonc`, what: effect })),
    ),
  ];
  const names = tools.map(({ name }) => name);
  return aboutUnknownTools(all, names).map(({ about: { place, what }, text }) => `${place}: ${what} does not count: ${text}`);
}

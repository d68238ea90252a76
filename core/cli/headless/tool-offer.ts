import { MortiseError } from "../../../sdk/errors.ts";
import { quoteWithClose } from "../../close-names.ts";
import { ownName } from "./tool-names.ts";

/** Which tools there are in a run, for the model and for calls inside of calls. */
export type ToolOffer = {
  offers(tool: string): boolean;
  /** Once all tools were asked about. Throws `usage` for a name that none of them has, with close ones. */
  check(): void;
};

/** @param allowed Nothing else is there. @param disallowed Is not there in any case. Names as here or as `TodoWrite`. */
export function createToolOffer({ allowed, disallowed = [] }: { allowed?: readonly string[]; disallowed?: readonly string[] }): ToolOffer {
  const only = allowed === undefined ? undefined : new Set(allowed.map(ownName));
  const without = new Set(disallowed.map(ownName));
  const asked = new Set<string>();
  return {
    offers(tool) {
      asked.add(tool);
      return (only === undefined || only.has(tool)) && !without.has(tool);
    },
    check() {
      const unknown = [...(allowed ?? []), ...disallowed].filter((name) => !asked.has(ownName(name)));
      if (unknown.length === 0) return;
      const all = [...asked].sort();
      throw new MortiseError("usage", {
        seen: `there is no tool ${unknown.map((name) => quoteWithClose(name, all)).join(", nor ")} (${all.join(", ")})`,
      });
    },
  };
}

/** Names between commas, those inside of parentheses left whole. */
export function namesIn(list: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= list.length; i++) {
    const char = list[i];
    if (char === "(") depth++;
    if (char === ")") depth--;
    if (i < list.length && (char !== "," || depth > 0)) continue;
    const name = list.slice(from, i).trim();
    if (name !== "") names.push(name);
    from = i + 1;
  }
  return names;
}

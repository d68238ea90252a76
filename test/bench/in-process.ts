import compose from "koa-compose";
import { AsyncSeriesWaterfallHook } from "tapable";
import { depths } from "./calls.ts";
import { type Case, mean } from "./rounds.ts";

/** The same chains where nothing separates a layer from the program: what the isolates are the price of. */
export function inProcess(): Case[] {
  const value = { text: "x".repeat(100), isError: false };
  return depths.flatMap((depth): Case[] => {
    const composed = compose(
      Array.from({ length: depth }, () => async (_value: typeof value, next: () => Promise<unknown>) => {
        const below = await next();
        return below;
      }),
    );
    const hook = new AsyncSeriesWaterfallHook<[typeof value]>(["value"]);
    for (let i = 0; i < depth; i++) hook.tapPromise(`layer ${i}`, async (each) => each);
    return [
      { name: `koa-compose ${depth}`, sample: () => mean(2_000, () => composed(value)) },
      { name: `tapable ${depth}`, sample: () => mean(2_000, () => hook.promise(value)) },
    ];
  });
}

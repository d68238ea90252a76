import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { Said } from "../isolate/describe.ts";
import { type BundleSource, bundlePlugin } from "./bundle.ts";

/** A place in a bundle, as V8 names it in a stack. */
const PLACE = /\(?eval at load \([^)]*\), <anonymous>:(\d+):(\d+)\)?/g;
/** Frames of the prelude, and of what starts a bundle. */
const FOREIGN = /^\s+at .*(mortise\/guest|mortise:start|eval \(<anonymous>\))/;

const Payload = z.object({ sources: z.array(z.string()), names: z.array(z.string()), mappings: z.string() });

export type Located = { stack: string /** Of the first frame. */; place: string | undefined };

/** Whether a text names places in a bundle. */
export function namesPlaces(text: string): boolean {
  return text.includes("eval at load (");
}

/**
 * A stack with places in the sources instead of those in the bundle. The bundle is made once more for that, with a source map;
 * where the sources have changed since, or are not there, the stack stays as it is.
 */
export async function locate(source: BundleSource, code: string, stack: string): Promise<Located> {
  const bundle = await bundlePlugin(source, true).catch(() => undefined);
  if (bundle?.map === undefined || bundle.code !== code) return { stack, place: undefined };
  const map = new SourceMap({ version: 3, file: "", sourcesContent: [], sourceRoot: "", ...Payload.parse(JSON.parse(bundle.map)) });
  const folder = "path" in source ? dirname(bundle.entry) : process.cwd();
  const places: string[] = [];
  const placed = stack.replace(PLACE, (whole: string, line: string, column: string) => {
    // The first line of a script is not of the bundle, and both are counted from 0 here.
    const entry = map.findEntry(Number(line) - 2, Number(column) - 1);
    if (!("originalSource" in entry)) return whole;
    const { originalSource: file, originalLine, originalColumn } = entry;
    const named = /^(inline|mortise):/.test(file) ? file.replace(/^inline:/, "") : resolve(folder, file);
    places.push(`${named}:${originalLine + 1}:${originalColumn + 1}`);
    return places.at(-1) ?? whole;
  });
  const lines = placed.split("\n").filter((line) => !FOREIGN.test(line));
  return { stack: lines.join("\n"), place: places[0] };
}

/** The failure of a plugin's setup with the place in its sources, and with the stack in what it said. */
export async function locatedFailure(failure: unknown, source: BundleSource, code: string): Promise<unknown> {
  if (!(failure instanceof MortiseError) || failure.code !== "plugin_threw") return failure;
  const parsed = Said.safeParse(failure.cause);
  const [stack, ...before] = parsed.success ? parsed.data.said.toReversed() : [];
  if (stack === undefined || !namesPlaces(stack)) return failure;
  const { stack: placed, place } = await locate(source, code, stack);
  const cause: z.infer<typeof Said> = { said: [...before.toReversed(), placed] };
  return new MortiseError(failure.code, { seen: place === undefined ? (failure.seen ?? "") : `${failure.seen} at ${place}`, cause });
}

import { MortiseError } from "../../sdk/errors.ts";
import { collectStrings, replaceStrings } from "./strings.ts";

/** What plugin code answers the program outside of tool calls, or why it failed, with every text of it cleaned. */
export async function redactOutgoing<T>(work: Promise<T>, clean: (texts: readonly string[]) => Promise<readonly string[]>): Promise<T> {
  let value: T;
  try {
    value = await work;
  } catch (error) {
    if (!(error instanceof MortiseError) || error.seen === undefined) throw error;
    const { code, plugin } = error;
    const [seen = ""] = await clean([error.seen]);
    throw new MortiseError(code, { seen, ...(plugin === undefined ? {} : { plugin }) });
  }
  return replaceStrings(value, await clean(collectStrings(value)));
}

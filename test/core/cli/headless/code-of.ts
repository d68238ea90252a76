import { MortiseError } from "../../../../sdk/errors.ts";

/** The code that a promise rejects with. */
export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
  } catch (error) {
    return error instanceof MortiseError ? error.code : String(error);
  }
  return undefined;
}

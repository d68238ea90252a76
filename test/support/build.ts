import { buildAll } from "../../core/build.mjs";

/** Tests start the runner and the command line from dist/, so it is built from the source under test. */
export default async function setup(): Promise<void> {
  await buildAll();
}

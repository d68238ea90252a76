#!/usr/bin/env node
// Plain JavaScript, so that an old Node can say which one it needs.
import "../node-version.mjs";
import fs from "node:fs";
import module from "node:module";
import { dirname, isAbsolute, join } from "node:path";

const here = (path) => new URL(path, import.meta.url);

// Answered before anything else is loaded.
if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  const { version } = JSON.parse(fs.readFileSync(here("../../package.json"), "utf8"));
  try {
    fs.writeSync(1, `${version}\n`);
  } catch (error) {
    if (error.code !== "EPIPE") {
      process.stderr.write(`mortise: Standard output failed: ${error.message}\n`);
      process.exitCode = 1;
    }
  }
} else {
  // One that comes before the rest is loaded is not lost: whoever loads it asks which it was.
  const early = (name) => {
    process[Symbol.for("mortise.signal")] ??= name;
  };
  for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => early(name));
  const cache = compileCache();
  if (cache === undefined || isMade(cache)) module.enableCompileCache(cache);
  const built = here("../../dist/cli.js");
  await import(process.env.MORTISE_SOURCE !== "1" && fs.existsSync(built) ? built : here("./main.ts"));
}

/** A folder of the user's own: what lies in the shared temporary folder may have been put there by somebody else. */
function compileCache() {
  const { HOME, MORTISE_CACHE_HOME, XDG_CACHE_HOME } = process.env;
  const usable = (folder) => folder !== undefined && isAbsolute(folder);
  if (usable(MORTISE_CACHE_HOME)) return join(MORTISE_CACHE_HOME, "compile");
  if (usable(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, "mortise/compile");
  return usable(HOME) ? join(HOME, ".cache/mortise/compile") : undefined;
}

/** Whether a folder is there or could be made. Node's own way never ends where a file system knows no new folders, as under /proc. */
function isMade(folder, isParentMade = false) {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (error.code !== "ENOENT" || isParentMade || dirname(folder) === folder) return error.code === "EEXIST";
    return isMade(dirname(folder)) && isMade(folder, true);
  }
}

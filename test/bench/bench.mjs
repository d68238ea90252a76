// Measures Mortise as it is built in dist/: `npm run bench [-- FILE.json] [--quick] [--only calls,permission,files,starts,memory,containment,index] [--assert]`.
import "../../core/node-version.mjs";
import { existsSync } from "node:fs";

if (!existsSync(new URL("../../dist/index.js", import.meta.url))) await (await import("../../core/build.mjs")).buildAll();
const { bench } = await import("./run.ts");
process.exit(await bench(process.argv.slice(2)));

// Started by tests as a program: builds a plugin in a process of its own, and says what that took.
import { createRequire } from "node:module";
import { createIsolates } from "../../../core/isolate/create-isolates.ts";
import { buildPlugin } from "../../../core/plugins/build.ts";
import { NOTHING } from "../../../sdk/wire.ts";

const [path = "", cacheFolder = ""] = process.argv.slice(2);
const isolates = createIsolates({ onHostCall: async () => NOTHING, onEvent: () => {}, spare: false });
const { manifest, hash } = await buildPlugin({ path }, { isolates, optionsFor: () => ({}), cacheFolder });
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => /[\\/]esbuild[\\/]/.test(file));
process.stdout.write(JSON.stringify({ name: manifest.name, hash, esbuild: loaded.length > 0, sent: isolates.sent() }));
await isolates.close();

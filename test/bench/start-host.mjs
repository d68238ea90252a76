// A program that embeds Mortise, started by the benchmark: `start` makes a host with the plugins, `load` loads them into a host that runs.
import { createHost } from "../../dist/index.js";

const [mode, ...plugins] = process.argv.slice(2);
const host = await createHost({ plugins: mode === "start" ? plugins : [], builtins: false });
const started = performance.now();
if (mode === "load") for (const plugin of plugins) await host.load(plugin);
const ms = performance.now() - started;
const loaded = host.plugins().filter((plugin) => plugin.failed === null).length;
process.stdout.write(`${JSON.stringify({ ms, loaded, problems: host.problems() })}\n`);
await host.close();

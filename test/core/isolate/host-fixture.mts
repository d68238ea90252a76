import { createIsolates } from "../../../core/isolate/create-isolates.ts";
import { pack } from "../../../sdk/wire.ts";

/** A host that uses a runner, says which processes it has, and ends without closing anything. */
const isolates = createIsolates({ onHostCall: async () => pack(null), onEvent: () => {} });
const code = `({ definition: { name: "one" }, setup(api) { api.setSlot("tool.*.input", (prev, v) => prev(v)) } })`;
const manifest = await isolates.describe(code);
isolates.add({ name: "one", code, manifest, options: {}, memoryMb: 64, isolation: "shared" });
await isolates.chain({
  slot: "tool.bash.input",
  spec: "tool.*.input",
  layers: [{ plugin: "one", handler: 0, onFailure: "skip", data: false }],
  value: pack({}),
  ctx: {},
  base: "identity",
  callKey: "1",
  windowMs: 1_000,
  sliceMs: 250,
  budgetMs: 1_000,
});
if (process.argv[2] === "is killed beside a program") {
  const printed = Promise.withResolvers<void>();
  const program = { tools: [], timeoutMs: 600_000, memoryMb: 64, call: async () => ({ text: "", isError: false }), print: () => printed.resolve() };
  void isolates.program({ ...program, script: "(async () => { console.log(1); for (;;); })" });
  await printed.promise;
}
process.stdout.write(JSON.stringify(isolates.runners().map(({ pid }) => pid)), () => {
  if (process.argv[2] === "exits") process.exit(0);
  if (process.argv[2] === "crashes" || process.argv[2] === "is killed beside a program") process.kill(process.pid, "SIGKILL");
});

import { MortiseError } from "../sdk/errors.ts";
import { pack, unpack } from "../sdk/wire.ts";
import type { Core } from "./core.ts";
import { asError } from "./isolate/as-error.ts";

/**
 * Runs a `/` command of a plugin; its answer is text for the person who typed it.
 * @throws MortiseError `unknown_method`, or the code of what failed.
 */
export async function runCommand(core: Core, name: string, args: string): Promise<string | undefined> {
  for (const plugin of core.plugins()) {
    const command = plugin.failed === null ? plugin.manifest.commands.find((each) => each.name === name) : undefined;
    if (command === undefined) continue;
    const context = core.contexts.enter({ kind: "command", call: null, depth: 0 });
    const result = await core.isolates.invoke({
      plugin: plugin.name,
      handler: command.handler,
      kind: "command",
      args: [pack(args)],
      callKey: context.key,
      windowMs: 60_000,
      sliceMs: 1_000,
      budgetMs: 10_000,
    });
    context.leave();
    if (!result.ok) throw asError(result.failure);
    const answer = result.answer.kind === "value" ? unpack(result.answer.value) : undefined;
    return typeof answer === "string" ? answer : undefined;
  }
  throw new MortiseError("unknown_method", { seen: `/${name}` });
}

import { randomUUID } from "node:crypto";
import { MortiseError } from "../sdk/errors.ts";
import { pack, unpack } from "../sdk/wire.ts";
import { quoteWithClose } from "./close-names.ts";
import type { Core } from "./core.ts";
import { createDeadline } from "./deadline.ts";
import type { CommandInfo } from "./host-types.ts";
import { asError } from "./isolate/as-error.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";

const WINDOW_MS = 60_000;
const LONGEST_MS = 60 * 60_000;

type Plugin = Pick<LoadedPlugin, "name" | "manifest" | "failed">;

/** The commands of plugins. Where several plugins have one of the same name, each goes by `<plugin>:<name>`. */
export function commandsOf(plugins: readonly Plugin[]): CommandInfo[] {
  const all = plugins.flatMap((plugin) => (plugin.failed === null ? firstOfEach(plugin) : []));
  return all.map((command) => {
    const isShared = all.some(({ own, plugin }) => own === command.own && plugin !== command.plugin);
    return { ...command, name: isShared ? `${command.plugin}:${command.own}` : command.own };
  });
}

function firstOfEach({ name: plugin, manifest }: Plugin): Omit<CommandInfo, "name">[] {
  const own = new Map<string, string>();
  for (const { name, description } of manifest.commands) if (!own.has(name)) own.set(name, description);
  return [...own].map(([name, description]) => ({ own: name, plugin, description }));
}

/**
 * Runs a `/` command of a plugin by its name, or by `<plugin>:<name>`; its answer is text for the person who typed it.
 * @throws MortiseError `unknown_command`, `cancelled`, or the code of what failed.
 */
export async function runCommand(
  core: Core,
  name: string,
  args: string,
  { sessionId = core.sessionId, signal }: { sessionId?: string; signal?: AbortSignal } = {},
): Promise<string | undefined> {
  const commands = commandsOf(core.plugins());
  const found = commands.find((each) => each.name === name || `${each.plugin}:${each.own}` === name);
  if (found === undefined) {
    const names = commands.map((each) => each.name);
    throw new MortiseError("unknown_command", { seen: quoteWithClose(name, names) });
  }
  const plugin = core.plugins().find((each) => each.name === found.plugin);
  const command = plugin?.manifest.commands.find((each) => each.name === found.own);
  if (plugin === undefined || command === undefined) throw new MortiseError("unknown_command", { seen: name });
  const deadline = createDeadline(WINDOW_MS, signal);
  const running = { id: randomUUID(), tool: { name: `/${name}` }, sessionId, deadline };
  const context = core.contexts.enter({ kind: "command", call: null, depth: 0, command: running });
  const result = await core.isolates
    .invoke({
      plugin: plugin.name,
      handler: command.handler,
      kind: "command",
      args: [pack(args)],
      callKey: context.key,
      // Its own deadline ends it, whose clock stops while a person is asked.
      windowMs: LONGEST_MS,
      sliceMs: 1_000,
      budgetMs: 10_000,
      signal: deadline.signal,
    })
    .finally(context.leave);
  const { reason } = deadline.signal;
  // What it began and did not wait for ends with it.
  deadline.cancel(new MortiseError("cancelled"));
  deadline.dispose();
  await core.capabilities.endCall(running.id);
  if (!result.ok && result.failure.code === "cancelled" && reason instanceof MortiseError) throw reason;
  if (!result.ok) throw asError(result.failure);
  const answer = result.answer.kind === "value" ? unpack(result.answer.value) : undefined;
  return typeof answer === "string" ? answer : undefined;
}

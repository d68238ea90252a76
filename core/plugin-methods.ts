import * as z from "zod/mini";
import { audiences } from "../sdk/contract.ts";
import { MortiseError } from "../sdk/errors.ts";
import { callForPlugin, keepForPlugin, mayCall } from "./call-for-plugin.ts";
import type { Caller } from "./capabilities/capabilities.ts";
import type { Context } from "./contexts.ts";
import type { Core } from "./core.ts";
import { definitionsOf } from "./definitions.ts";
import { createGate } from "./programs/gate.ts";
import { MAX_PROGRAMS, ProgramArguments, runForPlugin } from "./programs/run-for-plugin.ts";
import { fireDeclared } from "./slots/declared.ts";
import type { Syntax } from "./syntax/syntax.ts";
import { createSyntaxQuery, SyntaxRequest } from "./syntax-query.ts";
import { inAudience, toolInfo } from "./tools.ts";

/** A method of the plugin API that works on the host itself. `context` is what the plugin is doing, where that is known. */
export type PluginMethod = (args: readonly unknown[], caller: Caller, context: Context | undefined) => Promise<unknown>;

const Limit = z.number().check(z.positive());
const Call = z.tuple([
  z.string(),
  z.record(z.string(), z.json()),
  z.optional(
    z.object({
      timeoutMs: z.optional(Limit),
      outputMode: z.optional(z.enum(["compact", "full"])),
      audience: z.optional(z.enum(audiences)),
    }),
  ),
]);
const List = z.tuple([z.optional(z.object({ audience: z.optional(z.enum(audiences)) }))]);
const Wait = z.tuple([
  z.array(z.string()).check(z.maxLength(100)),
  z.optional(z.object({ timeoutMs: z.optional(z.int().check(z.minimum(0), z.maximum(600_000))) })),
]);
const Fire = z.tuple([z.string(), z.optional(z.json())]);
const Exec = z.tuple([
  z.union([z.string(), z.array(z.string())]),
  z.optional(z.object({ pattern: z.optional(z.string()), data: z.optional(z.json()) })),
]);

export function createPluginMethods(core: Core, syntax: Pick<Syntax, "query" | "commands">): Readonly<Record<string, PluginMethod>> {
  const programs = createGate(MAX_PROGRAMS);
  const querySyntax = createSyntaxQuery(syntax, core.capabilities);
  return {
    "tools.list": async (args, caller, context) => {
      const [options] = parse(List, args);
      const audience = context?.audience ?? context?.call?.audience ?? "main";
      const tools = core.tools().filter((tool) => inAudience(tool, audience) && inAudience(tool, options?.audience ?? audience));
      // What a tool says of itself anew may name files. What describes itself with this list is not asked to do so for it.
      const shown = context?.audience === undefined ? tools.filter((tool) => mayCall(caller, tool)) : [];
      const now = new Map((await definitionsOf(core, shown, audience)).map((info) => [info.name, info]));
      const infos = tools.map((tool) => now.get(tool.name) ?? toolInfo(tool));
      return infos.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    },

    "person.ask": async (args, caller, context) => {
      const asking = context?.command ?? (context?.kind === "tool" ? context.call : null);
      if (asking === null) throw new MortiseError("not_here", { seen: "person.ask works in tools and commands", plugin: caller.plugin });
      return core.persons.ask(caller.plugin, asking, args[0]);
    },

    "agent.session": async (args, caller, context) => core.conversations.open(args[0], caller, context),
    "agent.prompt": async (args, caller, context) => {
      const [id, text] = parse(z.tuple([z.string(), z.string()]), args);
      return core.conversations.prompt(id, text, caller, context);
    },
    "agent.start": async (args, caller, context) => {
      const [id, text, options] = parse(z.tuple([z.string(), z.string(), z.optional(z.object({ more: z.optional(z.string()) }))]), args);
      return core.conversations.start(id, text, options?.more ?? "", caller, context);
    },
    "agent.tasks": async (_args, caller, context) => core.conversations.tasks(caller, context),
    "agent.wait": async (args, caller, context) => {
      const [which, options] = parse(Wait, args);
      return core.conversations.wait(which, options?.timeoutMs ?? 0, caller, context);
    },
    "agent.stop": async (args, caller, context) => core.conversations.stop(parse(z.tuple([z.string()]), args)[0], caller, context),
    "agent.close": (args, caller) => core.conversations.close(parse(z.tuple([z.string()]), args)[0], caller),

    "tools.call": async (args, caller, context) => {
      const [name, input, options] = parse(Call, args);
      return callForPlugin(core, { name, input, ...options }, caller, context);
    },

    "tools.keep": (args, _caller, context) => keepForPlugin(core, parse(z.tuple([z.string()]), args)[0], context),

    "isolate.run": (args, caller, context) => runForPlugin(core, programs, parse(z.tuple([ProgramArguments]), args)[0], caller, context),

    "slots.list": async () => core.layers().info(core.tools()),

    "slots.fire": async (args, caller, context) => {
      const [slot, value] = parse(Fire, args);
      if (core.layers().declared(slot)?.owner.name !== caller.plugin)
        throw new MortiseError("unknown_slot", { seen: `${caller.plugin} declares no ${slot}`, plugin: caller.plugin });
      return fireDeclared(core, slot, value, { call: context?.call ?? null, depth: context?.depth ?? 0 });
    },

    "autocmds.exec": async (args, caller, context) => {
      const [events, options] = parse(Exec, args);
      const names = typeof events === "string" ? [events] : events;
      const foreign = names.find((name) => !name.startsWith(`${caller.plugin}:`));
      if (foreign !== undefined)
        throw new MortiseError("unknown_event", {
          seen: `${foreign}: ${caller.plugin} fires only events that begin with "${caller.plugin}:"`,
          plugin: caller.plugin,
        });
      await core.autocmds.exec(names, {
        depth: context?.depth ?? 0,
        data: options?.data ?? null,
        ...(options?.pattern === undefined ? {} : { match: options.pattern }),
      });
    },
    "autocmds.delete": async (args, caller) => core.autocmds.remove(caller.plugin, parse(z.tuple([z.number()]), args)[0]),
    "autocmds.clear": async (args, caller) => core.autocmds.clear(caller.plugin, parse(z.tuple([z.string()]), args)[0]),

    "output.write": async (args, _caller, context) => {
      const [text] = parse(z.tuple([z.string()]), args);
      if (context?.kind === "tool") context.call?.live(text);
    },

    "syntax.query": async (args, caller) => querySyntax(parse(SyntaxRequest, args)[0], caller),
    "syntax.commands": async (args) => {
      const { commands, forcePrompt } = await syntax.commands(parse(z.tuple([z.string()]), args)[0]);
      const argv = commands.map((command) => command.argv.map((word) => (word.static ? word.text : null)));
      return { commands: commands.map((command) => command.text), argv, forcePrompt };
    },
  };
}

function parse<T extends z.ZodMiniType>(schema: T, args: readonly unknown[]): z.infer<T> {
  // A missing last argument is the same as one that is undefined.
  const padded =
    schema instanceof z.ZodMiniTuple ? [...args, ...Array(Math.max(schema._zod.def.items.length - args.length, 0)).fill(undefined)] : args;
  const result = schema.safeParse(padded);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new MortiseError("wrong_argument", { seen: `argument ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}` });
}

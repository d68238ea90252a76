import * as z from "zod/mini";
import { Asks } from "../../sdk/wire.ts";
import { ModelsConfig } from "../models/models-config.ts";
import { isSlotName, slotsLike } from "../plugins/slot-name.ts";

const PluginName = z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,63}$/, "expected a plugin's name: lower case letters, digits, - and _"));
const ToolName = z.string().check(z.regex(/^(\*|[A-Za-z_][A-Za-z0-9_-]{0,63})$/, 'expected a tool\'s name, or "*"'));
const Text = z.string().check(z.minLength(1));
const positive = (most: number) => z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(most)));

const SlotName = z
  .string()
  .check(z.refine((name) => isSlotName(name), { error: (issue) => `expected a slot's name${suggestion(String(issue.input))}` }));

/** `config.jsonc`, of the user and of a project. */
export const ConfigFile = z.strictObject({
  $schema: z.optional(z.string()),
  plugins: z
    .optional(z.array(Text))
    .check(
      z.describe(
        "Plugin files and folders to load, in this order; relative ones start at this file's folder. A project names only files of its own .mortise folder.",
      ),
    ),
  disabled: z
    .optional(z.array(PluginName))
    .check(z.describe("Plugins that are not loaded, by name. A project reaches its own plugins and the built-in ones.")),
  options: z
    .optional(z.record(PluginName, z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))))
    .check(z.describe("Options of plugins, by plugin. A project reaches its own plugins and the built-in ones.")),
  grants: z
    .optional(z.record(PluginName, z.union([z.literal(true), z.strictObject({ ...Asks.shape, steer: z.optional(z.array(SlotName)) })])))
    .check(z.describe("What plugins are granted of what they ask for, by plugin; true is all of it. Only the user's own config grants.")),
  block: z
    .optional(z.record(PluginName, z.array(SlotName).check(z.minLength(1))))
    .check(z.describe('Slots where a plugin\'s failure stops the call, also one that does not load: { "secrets": ["tool.*.output"] }.')),
  limits: z
    .optional(
      z.strictObject({
        sliceMs: positive(60_000),
        budgetMs: positive(600_000),
        windowMs: positive(3_600_000),
        memoryMb: positive(4_096),
        baseMemoryMb: positive(65_536),
      }),
    )
    .check(
      z.describe(
        "Limits of plugin code: milliseconds of processor time per turn and per call, of wall time per stage, MiB per isolate and per runner. Only the user's own config sets them.",
      ),
    ),
  output: z
    .optional(
      z.record(
        ToolName,
        z.strictObject({
          lines: z.optional(z.number().check(z.int(), z.minimum(10), z.maximum(100_000))),
          bytes: z.optional(z.number().check(z.int(), z.minimum(1_024), z.maximum(8_388_608))),
        }),
      ),
    )
    .check(
      z.describe(
        'How much of a tool\'s text the model sees, by tool, "*" for every tool: { "bash": { "lines": 500 } }. 2000 lines and 51200 bytes unless said.',
      ),
    ),
  allowedPrivateHosts: z
    .optional(z.array(Text))
    .check(z.describe("Private hosts and networks that `net` may reach, as localhost:8080 or 10.0.0.0/8. Only the user's own config allows them.")),
  models: z
    .optional(ModelsConfig)
    .check(
      z.describe(
        'Models: the default, the model of each tier, and providers by name, each with url, key or keyEnv, and its models, the strongest first: { "providers": { "mine": { "url": "http://127.0.0.1:9000/v1" } } }. Only the user\'s own config sets them.',
      ),
    ),
  passSecrets: z
    .optional(z.array(Text))
    .check(z.describe("Secret variables that programs started by tools get all the same. Only the user's own config passes them.")),
  yolo_unparseable: z
    .optional(z.boolean())
    .check(z.describe("Whether yolo answers calls that were not understood too. Only the user's own config says so.")),
});
export type ConfigFile = z.infer<typeof ConfigFile>;

/** What a project's config may not decide, since it would widen what its owner's machine gives. */
export const userOnly = [
  "grants",
  "limits",
  "models",
  "allowedPrivateHosts",
  "passSecrets",
  "yolo_unparseable",
] as const satisfies (keyof ConfigFile)[];

function suggestion(name: string): string {
  const near = slotsLike(name);
  return near.length === 0 ? "" : `, as ${near.map((other) => JSON.stringify(other)).join(" or ")}`;
}

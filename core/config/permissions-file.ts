import * as z from "zod/mini";

const Default = z.enum(["prompt", "allow", "deny"]);

/** One rule as a file holds it. Without a pattern it is about every scope of the tool. */
export const RuleLine = z.strictObject({
  tool: z
    .string()
    .check(
      z.regex(/^(?:[^\s*]+\*?|\*)$/, "expected a tool's name, one that ends in *, or * for every tool"),
      z.describe("A tool's name, one that ends in *, or * for every tool."),
    ),
  pattern: z
    .optional(z.string().check(z.regex(/\S/, "expected a pattern that is not empty")))
    .check(z.describe("What the call would do: `git *`, `src/**`, `*`.")),
  effect: z.enum(["allow", "ask", "deny"]),
});
export type RuleLine = z.infer<typeof RuleLine>;

/** `permissions.jsonc`, of the user and of a project. */
export const PermissionsFile = z.strictObject({
  $schema: z.optional(z.string()),
  default: z.optional(Default).check(z.describe("What counts where no rule decides; prompt unless said. A project's allow is not taken.")),
  defaults: z.optional(z.record(z.string(), Default)).check(z.describe("The same for single tools, by name.")),
  allow_read_only: z
    .optional(z.boolean())
    .check(z.describe("Whether commands that only read files of the project need no permission, unless a rule says otherwise. Off unless said.")),
  rules: z.optional(z.array(RuleLine)),
});
export type PermissionsFile = z.infer<typeof PermissionsFile>;
export type DefaultEffect = z.infer<typeof Default>;

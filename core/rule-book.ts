import { MortiseError } from "../sdk/errors.ts";
import { RuleLine } from "./config/permissions-file.ts";
import { defaultEffect, hasDefault, type Settings } from "./config/settings.ts";
import type { HostOptions } from "./host-types.ts";
import type { Rule } from "./permission/permission.ts";
import { isSameRule, type Policy } from "./permission/permissions.ts";
import { readDefaults } from "./permission/read-defaults.ts";
import { pluginRules } from "./plugin-rules.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";

/** Every rule that counts now: of files, of a person's answers, of the program, of the host and of plugins. */
export type RuleBook = {
  policy(): Policy;
  /** Those of the program that embeds the host, or drives its session. */
  own(): readonly Rule[];
  /** Whether there was such a rule of the program's. */
  dropOwn(rule: Pick<Rule, "tool" | "pattern" | "effect">): boolean;
  /** A rule that an `always` answer wrote into a file. */
  add(rule: Rule): void;
};

/** @param from.spills Files that a result named, which the model may read. Throws `wrong_argument` for a rule that says nothing. */
export function createRuleBook(
  options: HostOptions,
  from: { settings: Settings; plugins(): readonly LoadedPlugin[]; spills: ReadonlySet<string> },
): RuleBook {
  const { settings, spills } = from;
  const stored: Rule[] = [];
  let own: readonly Rule[] = programRules(options);
  let gathered: { from: readonly LoadedPlugin[]; own: readonly Rule[]; stored: number; spills: number; rules: readonly Rule[] } | undefined;

  /** Gathered anew where plugins, answers or spills added to them. */
  const rules = (): readonly Rule[] => {
    const plugins = from.plugins();
    if (gathered?.from === plugins && gathered.own === own && gathered.stored === stored.length && gathered.spills === spills.size)
      return gathered.rules;
    const defaults = readDefaults({ project: settings.project.root, named: spills, hasDefault: (tool) => hasDefault(settings, tool) });
    const all = [...settings.rules, ...stored, ...own, ...defaults, ...pluginRules(plugins)];
    gathered = { from: plugins, own, stored: stored.length, spills: spills.size, rules: all };
    return all;
  };

  return {
    policy: () => ({
      rules: rules(),
      yolo: options.yolo ?? false,
      yoloUnparseable: settings.yoloUnparseable,
      defaultEffect: (tool) => defaultEffect(settings, tool),
    }),
    own: () => own,
    dropOwn(rule) {
      const left = own.filter((known) => !isSameRule(known, rule));
      const isOwn = left.length < own.length;
      if (isOwn) own = left;
      return isOwn;
    },
    add: (rule) => void stored.push(rule),
  };
}

/** A rule that says nothing would be dropped without a word. */
function programRules({ rules = [] }: HostOptions): Rule[] {
  return rules.map((rule, index) => {
    const parsed = RuleLine.safeParse(rule);
    if (!parsed.success) throw new MortiseError("wrong_argument", { seen: `rules[${index}] of createHost: ${JSON.stringify(rule)}` });
    const { tool, pattern, effect } = parsed.data;
    return { tool, ...(pattern === undefined ? {} : { pattern }), effect, layer: "session", from: "the program" };
  });
}

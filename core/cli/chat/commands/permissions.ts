import type { Rule } from "../../../permission/permission.ts";
import { tableOf } from "../../table.ts";
import { visibleLine } from "../../visible.ts";
import type { ChatCommand } from "../chat-control.ts";

/** Shows the rules of the session, and takes one back. */
export const permissions: ChatCommand = {
  name: "permissions",
  description: "show the rules of this session; `revoke <number>` takes one back",
  source: "mortise",
  async run(args, chat) {
    const { host, session, sessionId, yolo } = chat;
    const rules = host.sessionRules(sessionId);
    const [verb = "", number = "", ...rest] = args.trim().split(/\s+/);
    if (verb === "") {
      const on = yolo.isOn() ? ["Yolo is on: what no rule decides is allowed."] : [];
      if (rules.length === 0) return [...on, "This session has no rules of its own. `mortise rules explain` says which others count."].join("\n");
      return [...on, ...tableOf(rules.map((rule, i) => [`${i + 1}`, ...cells(rule)])), "`/permissions revoke <number>` takes one back."].join("\n");
    }
    const rule = verb === "revoke" && rest.length === 0 && /^\d+$/.test(number) ? rules[Number(number) - 1] : undefined;
    if (rule === undefined)
      return `There is no such rule. \`/permissions\` lists them with their numbers, and \`/permissions revoke <number>\` takes one back.`;
    host.revokeRule({ tool: rule.tool, effect: rule.effect, ...(rule.pattern === undefined ? {} : { pattern: rule.pattern }) }, sessionId);
    const left = session.state.rules.filter(({ tool, pattern, effect }) => tool !== rule.tool || pattern !== rule.pattern || effect !== rule.effect);
    if (left.length < session.state.rules.length) await session.set({ rules: left });
    return `Taken back: ${cells(rule).join(" ")}. It counts no longer from the next call on.`;
  },
  complete: async (_args, { host, sessionId }) =>
    host.sessionRules(sessionId).map((rule, i) => ({ value: `revoke ${i + 1}`, description: cells(rule).join(" ") })),
};

function cells({ tool, pattern = "*", effect }: Rule): [string, string, string] {
  return [effect, visibleLine(tool), visibleLine(pattern)];
}

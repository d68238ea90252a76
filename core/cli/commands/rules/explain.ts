import { Command } from "commander";
import { MortiseError } from "../../../../sdk/errors.ts";
import type { Explanation, ScopeExplanation } from "../../../permission/explain.ts";
import type { NewRule } from "../../../permission/generalise.ts";
import type { Cli } from "../../cli.ts";
import { exits } from "../../exits.ts";
import { type Run, withExamples } from "../../help.ts";
import { type HostedOptions, hosted } from "../../hosted.ts";
import type { Style } from "../../stdio.ts";

type ExplainOptions = HostedOptions & { tool: string; yolo?: true };

export function explainCommand(run: Run): Command {
  const command = hosted(new Command("explain"))
    .summary("say what rules make of a call, and why")
    .description(
      "Says what rules make of a call: what it would do, which rule decides each part and where it stands, and what would allow it. Nothing runs, nobody is asked, and layers and judges of plugins have no say. Exits with 0 where rules allow the call, with 5 where they deny it or it would be asked about.",
    )
    .argument("<command>", "a command for bash; with --tool, that tool's input as a JSON object")
    .option("--tool <name>", "explain a call of this tool", "bash")
    .option("--yolo", "as with --yolo of call")
    .action((text: string, options: ExplainOptions) => run((cli) => explain(text, options, cli)));
  return withExamples(command, [
    [`rules explain "cd sub && npm publish"`, "each command is judged alone"],
    [`rules explain --tool read '{"path":".env"}'`, "a call of another tool"],
    [`rules explain "git status" --json`, "for a program; the exit code alone says whether it is allowed"],
  ]);
}

async function explain(text: string, options: ExplainOptions, cli: Cli): Promise<number> {
  const input = options.tool === "bash" ? { command: text } : inputOf(text);
  const { withHost } = await import("../../with-host.ts");
  return withHost({ ...options, warm: true }, cli, async (host) => {
    const explanation = await host.explain({ tool: options.tool, input });
    await (options.json ? cli.stdio.json(explanation) : print(explanation, cli));
    return explanation.decision === "allow" ? exits.ok : exits.permission;
  });
}

/** Throws `usage`. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MortiseError("usage", { seen: `the input is no JSON: ${why}`, cause });
  }
}

async function print(explanation: Explanation, { stdio }: Cli): Promise<void> {
  const [{ tableOf }, { shortened, visibleLine }, { ruleLine, ruleText }] = await Promise.all([
    import("../../table.ts"),
    import("../../visible.ts"),
    import("../../../permission/denial.ts"),
  ]);
  const style: Style = explanation.decision === "allow" ? "green" : explanation.decision === "deny" ? "red" : "yellow";
  await stdio.write(
    `${stdio.paint(style, { allow: "allowed", ask: "asked about", deny: "denied" }[explanation.decision])}: ${visibleLine(because(explanation))}\n`,
  );
  const rows = explanation.scopes.map((scope) => {
    const kind = scope.access === undefined ? scope.kind : `${scope.access} ${scope.kind}`;
    const decided = scope.rule === null ? UNDECIDED[scope.effect] : ruleText(scope.rule);
    const by = scope.via === undefined ? "" : ` (by ${scope.via.join(", ")})`;
    return [`  ${kind}`, visibleLine(shortened(scope.text, 120) + by), EFFECTS[scope.effect], visibleLine(decided)];
  });
  for (const line of tableOf(rows)) await stdio.write(`${line}\n`);
  for (const { text, reason } of explanation.unresolved) {
    await stdio.write(`not known before it runs: ${visibleLine(shortened(text, 120))} (${visibleLine(reason)})\n`);
  }
  const rules = wouldAllow(explanation);
  if (rules.length === 0 && explanation.source === "uncovered") await stdio.write("no rule that is narrow enough would allow all of it\n");
  for (const rule of rules) await stdio.write(`would be allowed by ${ruleLine(rule)}\n`);
  for (const { rule, text } of explanation.warnings) {
    await stdio.write(`${stdio.paint("yellow", "warning")} ${visibleLine(ruleText(rule))}: ${visibleLine(shortened(text, 400))}\n`);
  }
}

const EFFECTS: Readonly<Record<ScopeExplanation["effect"], string>> = {
  allow: "allowed",
  ask: "asked about",
  deny: "denied",
  uncovered: "not covered",
  protected: "protected",
  free: "free",
};
const UNDECIDED: Readonly<Record<ScopeExplanation["effect"], string>> = {
  allow: "",
  ask: "",
  deny: "",
  uncovered: "no rule is about it",
  protected: "a person has to approve it",
  free: "it needs no permission of its own",
};

function because({ decision, source, tool, reason, scopes }: Explanation): string {
  switch (source) {
    case "rule":
      return decision === "deny" ? "a rule denies it" : "a rule asks";
    case "rules":
      return scopes.every(({ effect }) => effect === "free") ? "nothing in it needs a permission" : "rules cover all of it";
    case "no_scopes":
      return `${tool} needs no permission`;
    case "yolo":
      return "yolo answers what no rule decides";
    case "default":
      return `${tool} is ${decision === "deny" ? "denied" : "allowed"} by default`;
    case "protected":
      return "something protected is touched";
    case "not_understood":
      return `not all of it is known before it runs (${reason})`;
    default:
      return "no rule covers all of it";
  }
}

/** Rules that allow the call together; none where a part of it, or all, is beyond rules. */
function wouldAllow({ decision, forced, scopes }: Explanation): NewRule[] {
  if (decision !== "ask" || forced) return [];
  const open = scopes.filter(({ effect }) => effect !== "allow" && effect !== "free");
  const rules = open.flatMap(({ allowedBy }) => allowedBy ?? []);
  if (rules.length < open.length) return [];
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

import { join } from "node:path";
import { MortiseError } from "../../sdk/errors.ts";
import type { Rule } from "../permission/permission.ts";
import type { NewRule } from "../permission/permissions.ts";
import { appendItems } from "./append-item.ts";
import { editSettings } from "./edit-settings.ts";
import type { Folders, Project } from "./folders.ts";
import { sourceOf } from "./jsonc.ts";
import { withLock } from "./lock.ts";
import { PermissionsFile } from "./permissions-file.ts";
import { addTrust, trustOf } from "./trust.ts";

const fileName = "permissions.jsonc";

type Where = { folders: Folders; project: Project };
type Stored = { rules: Rule[]; text: string };

/**
 * Stores a rule in the permissions file of the user or the project and returns it as it stands there. One that stands there already is not doubled.
 * A project stays trusted, since a person made this change; one that is not trusted takes deny rules only (`not_trusted`).
 */
export async function addRule(where: Where, layer: "user" | "project", rule: NewRule): Promise<Rule> {
  const [stored] = await addRules(where, layer, [rule]);
  return stored!;
}

/** The same of several, all or none of them. */
export async function addRules(where: Where, layer: "user" | "project", rules: readonly NewRule[]): Promise<Rule[]> {
  return layer === "user" ? (await store(join(where.folders.config, fileName), layer, rules)).rules : addToProject(where, rules);
}

async function addToProject({ folders, project }: Where, rules: readonly NewRule[]): Promise<Rule[]> {
  const { folder } = project;
  if (folder === null) throw new MortiseError("not_trusted", { seen: `${project.root} is a home, and no project` });
  return withLock(join(folders.state, "project-edit"), async () => {
    const trust = await trustOf(project, folders);
    const trusted = trust.state === "trusted" || trust.state === "nothing";
    if (!trusted && rules.some(({ effect }) => effect !== "deny")) throw new MortiseError("not_trusted", { seen: folder });
    const bytes = trust.files.get(fileName);
    const before = bytes && sourceOf(fileName, bytes).text;
    const stored = await store(join(folder, fileName), "project", rules, (text) => {
      // What is pinned below is what a person trusted, and these rules: nothing that came in between.
      if (trusted && before !== undefined && before !== text)
        throw new MortiseError("not_trusted", { seen: `${join(folder, fileName)} was just changed` });
    });
    const files = new Map([...trust.files, [fileName, Buffer.from(stored.text)]]);
    if (trusted && stored.text !== before) await addTrust(project, folders, { ...trust, state: "trusted", files });
    return stored.rules;
  });
}

async function store(path: string, layer: Rule["layer"], added: readonly NewRule[], check: (text: string) => void = () => {}): Promise<Stored> {
  const wanted = [...new Map(added.map(({ tool, pattern, effect }) => [keyOf({ tool, pattern, effect }), { tool, pattern, effect }])).values()];
  const file = await editSettings(path, PermissionsFile, (text, { rules = [] }) => {
    check(text);
    const there = new Set(rules.map(keyOf));
    return appendItems(
      text,
      "rules",
      wanted.filter((rule) => !there.has(keyOf(rule))),
    );
  });
  const places = new Map((file.value.rules ?? []).map((rule, index) => [keyOf(rule), index] as const).reverse());
  return {
    rules: added.map(({ tool, pattern, effect }) => {
      const index = places.get(keyOf({ tool, pattern, effect })) ?? 0;
      return { tool, pattern, effect, layer, from: file.lineOf(["rules", index]) };
    }),
    text: file.text,
  };
}

function keyOf({ tool, pattern, effect }: { tool: string; pattern?: string | undefined; effect: string }): string {
  return JSON.stringify([tool, pattern ?? null, effect]);
}

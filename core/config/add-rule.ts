import { join } from "node:path";
import { MortiseError } from "../../sdk/errors.ts";
import type { Rule } from "../permission/permission.ts";
import type { NewRule } from "../permission/permissions.ts";
import { appendItem } from "./append-item.ts";
import { editSettings } from "./edit-settings.ts";
import type { Folders, Project } from "./folders.ts";
import { sourceOf } from "./jsonc.ts";
import { withLock } from "./lock.ts";
import { PermissionsFile } from "./permissions-file.ts";
import { addTrust, trustOf } from "./trust.ts";

const fileName = "permissions.jsonc";

/**
 * Stores a rule in the permissions file of the user or the project and returns it as it stands there. One that stands there already is not doubled.
 * A project stays trusted, since a person made this change; one that is not trusted takes deny rules only (`not_trusted`).
 */
export async function addRule(where: { folders: Folders; project: Project }, layer: "user" | "project", rule: NewRule): Promise<Rule> {
  return layer === "user" ? (await store(join(where.folders.config, fileName), layer, rule)).rule : addToProject(where, rule);
}

async function addToProject({ folders, project }: { folders: Folders; project: Project }, rule: NewRule): Promise<Rule> {
  const { folder } = project;
  if (folder === null) throw new MortiseError("not_trusted", { seen: `${project.root} is a home, and no project` });
  return withLock(join(folders.state, "project-edit"), async () => {
    const trust = await trustOf(project, folders);
    const trusted = trust.state === "trusted" || trust.state === "nothing";
    if (!trusted && rule.effect !== "deny") throw new MortiseError("not_trusted", { seen: folder });
    const bytes = trust.files.get(fileName);
    const before = bytes && sourceOf(fileName, bytes).text;
    const stored = await store(join(folder, fileName), "project", rule, (text) => {
      // What is pinned below is what a person trusted, and this rule: nothing that came in between.
      if (trusted && before !== undefined && before !== text)
        throw new MortiseError("not_trusted", { seen: `${join(folder, fileName)} was just changed` });
    });
    const files = new Map([...trust.files, [fileName, Buffer.from(stored.text)]]);
    if (trusted && stored.text !== before) await addTrust(project, folders, { ...trust, state: "trusted", files });
    return stored.rule;
  });
}

async function store(path: string, layer: Rule["layer"], { tool, pattern, effect }: NewRule, check: (text: string) => void = () => {}) {
  const same = (other: { tool: string; pattern?: string | undefined; effect: string }) =>
    other.tool === tool && other.pattern === pattern && other.effect === effect;
  const file = await editSettings(path, PermissionsFile, (text, { rules = [] }) => {
    check(text);
    return rules.some(same) ? text : appendItem(text, "rules", { tool, pattern, effect });
  });
  const index = (file.value.rules ?? []).findIndex(same);
  const rule: Rule = { tool, pattern, effect, layer, from: file.lineOf(["rules", index]) };
  return { rule, text: file.text };
}

import { join } from "node:path";
import type { PersonAnswer } from "../../../../sdk/api.ts";
import type { Folders, Project } from "../../../config/folders.ts";
import { trustOf } from "../../../config/trust.ts";
import type { Asker, PromptAnswer } from "../../../permission/permission.ts";
import type { Person } from "../../../person.ts";
import type { Asks } from "./asks.ts";
import { createKeyPanel } from "./key-panel.ts";
import { createPermissionPanel } from "./permission-panel.ts";
import { createQuestionPanel } from "./question-panel.ts";

export type HostAsksOptions = {
  asks: Asks;
  project: Project;
  folders: Folders;
  /** The subagent that asks, by the id of what it asks. */
  childOf(askId: string): string | null;
  /** Whether anybody sees a question now. */
  isThere(): boolean;
  /** Keeps rules with the session, so that they count when it is gone on with. */
  keepRules(rules: Parameters<Asker>[0]["suggestions"]): Promise<void>;
};

/** What the host and the agent ask the person of a chat. What is no clear answer denies, or is none. */
export type HostAsks = {
  ask: Asker;
  person: Person;
  /** Whether to try again with what the person mended. */
  askForKey(asked: { model: string; message: string }, signal: AbortSignal): Promise<boolean>;
};

const PERMISSIONS = "permissions.jsonc";

export function createHostAsks({ asks, project, folders, childOf, isThere, keepRules }: HostAsksOptions): HostAsks {
  const files = { project: project.folder === null ? null : join(project.folder, PERMISSIONS), user: join(folders.config, PERMISSIONS) };

  /** Whether a rule that allows may go to the project: one that is not trusted takes none. */
  const takesAllow = async () => {
    const trust = await trustOf(project, folders).catch(() => undefined);
    return trust?.state === "trusted" || trust?.state === "nothing";
  };

  return {
    async ask(request) {
      const isTrusted = await takesAllow();
      const answer = await asks.ask<PromptAnswer>(
        (told) => createPermissionPanel({ request, child: () => childOf(request.id), files, isTrusted, waiting: asks.waiting, answer: told }),
        request.signal,
      );
      if (answer?.decision === "allow" && answer.remember === "session") await keepRules(request.suggestions);
      return answer ?? { decision: "deny" };
    },
    person: {
      ask: (request) => asks.ask<PersonAnswer>((told) => createQuestionPanel(request, told), request.signal),
      isThere,
    },
    askForKey: async (asked, signal) => (await asks.ask<boolean>((told) => createKeyPanel(asked, told), signal)) ?? false,
  };
}

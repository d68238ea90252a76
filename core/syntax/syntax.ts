import { homedir } from "node:os";
import { foldersNamed, hasPlainNames } from "./folders.ts";
import { type Understood, UnderstoodAnswer } from "./frames.ts";
import { createQueries, type Queries } from "./queries.ts";
import { createSyntaxProcess } from "./syntax-process.ts";

export type { ParsedCommand, ParsedFile, ParsedWord, Understood } from "./frames.ts";
export type { QueryRequest, QueryResult } from "./queries.ts";

/** Parses text in supervised processes of their own, which are started on first use. */
export type Syntax = Queries & {
  /**
   * What bash text would do in a folder, which is absolute and named as the shell would. `env` are variables that are known; `HOME`, and where the user keeps settings and state, are this process's unless said.
   * Never throws: what fails is unparseable, and forces a prompt.
   */
  understand(command: string, cwd: string, env?: Readonly<Record<string, string>>): Promise<Understood>;
  /** The same of text that runs nobody knows where. */
  commands(text: string): Promise<Understood>;
};

export type SyntaxOptions = {
  /** The Node to run the processes with; this process's own unless said. */
  execPath?: string;
};

/** Longer commands are not read, in bytes. */
const MAX_COMMAND_BYTES = 64 * 1024;
/** Processor time the process gives a request, and the time after which it is ended for not having answered; in milliseconds. */
const BUDGET_MS = 50;
const LIMIT_MS = 1_000;

export function createSyntax(options: SyntaxOptions = {}): Syntax {
  // Queries are plugins' work: what they break, or are long at, must not be what permission needs.
  const judging = createSyntaxProcess("understand", options);
  const queries = createQueries(options);

  async function understand(text: string, cwd: string | null, env: Readonly<Record<string, string>>): Promise<Understood> {
    if (Buffer.byteLength(text) > MAX_COMMAND_BYTES) return notUnderstood(text, "it is too long");
    const folders = cwd === null ? [] : foldersNamed(text, cwd, env.HOME ?? "/");
    const plainNames = cwd !== null && /(?:^|[ \t])[*?]/.test(text) && hasPlainNames(cwd);
    const reply = await judging.ask({ kind: "understand", text, cwd, env, folders, plainNames, budgetMs: BUDGET_MS }, LIMIT_MS);
    if ("failed" in reply) return notUnderstood(text, reply.failed);
    const answer = UnderstoodAnswer.safeParse(reply.frame);
    return answer.success ? answer.data : notUnderstood(text, "the parser gave an answer that is none");
  }

  return {
    understand: (command, cwd, env = {}) => understand(command, cwd.startsWith("/") ? cwd : null, { ...placesKnown(), ...env }),
    commands: (text) => understand(text, null, placesKnown()),
    query: queries.query,
    warm: queries.warm,
    close: async () => {
      await Promise.all([judging.close(), queries.close()]);
    },
  };
}

/** Variables that lead to folders of the user's, as programs that tools start have them: what is protected lies there, by whatever name. */
const places = ["CONFIG", "STATE", "CACHE", "DATA"].flatMap((kind) => [`XDG_${kind}_HOME`, `MORTISE_${kind}_HOME`]);

function placesKnown(): Record<string, string> {
  const given = places.flatMap((name) => {
    const value = process.env[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return { HOME: homedir(), ...Object.fromEntries(given) };
}

function notUnderstood(text: string, reason: string): Understood {
  return { commands: [], forcePrompt: true, unparseable: true, unresolved: [{ text: text.slice(0, 200), reason }], reason };
}

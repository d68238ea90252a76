import { homedir } from "node:os";
import { MortiseError } from "../../sdk/errors.ts";
import { foldersNamed } from "./folders.ts";
import { QueryAnswer, type QueryResult, type Understood, UnderstoodAnswer } from "./frames.ts";
import { createSyntaxProcess } from "./syntax-process.ts";

export type { ParsedCommand, ParsedFile, ParsedWord, QueryResult, Understood } from "./frames.ts";

export type QueryRequest = { language: "bash"; text: string; query: string; maxCaptures?: number };

/** Parses text in supervised processes of their own, which are started on first use. */
export type Syntax = {
  /**
   * What bash text would do in a folder, which is absolute and named as the shell would. `env` are variables that are known; `HOME` is the user's unless said.
   * Never throws: what fails is unparseable, and forces a prompt.
   */
  understand(command: string, cwd: string, env?: Readonly<Record<string, string>>): Promise<Understood>;
  /** The same of text that runs nobody knows where. */
  commands(text: string): Promise<Understood>;
  /** Runs a tree-sitter query. Throws `syntax_failed`. */
  query(request: QueryRequest): Promise<QueryResult>;
  close(): Promise<void>;
};

export type SyntaxOptions = {
  /** The Node to run the processes with; this process's own unless said. */
  execPath?: string;
};

/** Longer commands are not read, in bytes. */
const MAX_COMMAND_BYTES = 64 * 1024;
const MAX_QUERY_TEXT_BYTES = 2 * 1024 * 1024;
const MAX_CAPTURES = 10_000;
/** Processor time the process gives a request, and the time after which it is ended for not having answered; in milliseconds. */
const COMMANDS = { budgetMs: 50, limitMs: 1_000 };
const QUERY = { budgetMs: 1_000, limitMs: 5_000 };

export function createSyntax(options: SyntaxOptions = {}): Syntax {
  // Queries are plugins' work: what they break must not be what permission needs.
  const judging = createSyntaxProcess(options.execPath);
  const querying = createSyntaxProcess(options.execPath);

  async function understand(text: string, cwd: string | null, env: Readonly<Record<string, string>>): Promise<Understood> {
    if (Buffer.byteLength(text) > MAX_COMMAND_BYTES) return notUnderstood(text, "it is too long");
    const folders = cwd === null ? [] : foldersNamed(text, cwd, env.HOME ?? "/");
    const reply = await judging.ask({ kind: "understand", text, cwd, env, folders, budgetMs: COMMANDS.budgetMs }, COMMANDS.limitMs);
    if ("failed" in reply) return notUnderstood(text, reply.failed);
    const answer = UnderstoodAnswer.safeParse(reply.frame);
    return answer.success ? answer.data : notUnderstood(text, "the parser gave an answer that is none");
  }

  async function query(request: QueryRequest): Promise<QueryResult> {
    const { text, maxCaptures = 1_000 } = request;
    if (Buffer.byteLength(text) > MAX_QUERY_TEXT_BYTES) throw new MortiseError("syntax_failed", { seen: "the text is too long" });
    const limit = Math.max(1, Math.min(MAX_CAPTURES, Math.trunc(maxCaptures)));
    const reply = await querying.ask({ kind: "query", text, query: request.query, maxCaptures: limit, budgetMs: QUERY.budgetMs }, QUERY.limitMs);
    if ("failed" in reply) throw new MortiseError("syntax_failed", { seen: reply.failed });
    const answer = QueryAnswer.safeParse(reply.frame);
    if (!answer.success) throw new MortiseError("syntax_failed", { seen: "the parser gave an answer that is none" });
    return answer.data;
  }

  return {
    understand: (command, cwd, env = {}) => understand(command, cwd.startsWith("/") ? cwd : null, { HOME: homedir(), ...env }),
    commands: (text) => understand(text, null, { HOME: homedir() }),
    query,
    close: async () => {
      await Promise.all([judging.close(), querying.close()]);
    },
  };
}

function notUnderstood(text: string, reason: string): Understood {
  return { commands: [], forcePrompt: true, unparseable: true, unresolved: [{ text: text.slice(0, 200), reason }], reason };
}

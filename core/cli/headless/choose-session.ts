import { MortiseError } from "../../../sdk/errors.ts";
import type { Session } from "../../session/session.ts";
import type { Sessions } from "../../session/sessions.ts";

export type SessionOptions = { continue?: true; session?: string; forkSession?: true; sessionId?: string };

/** The session that the options mean, or a new one. Throws `usage`, and what opening it throws. */
export async function chooseSession(
  sessions: Pick<Sessions, "create" | "open" | "fork" | "latest">,
  options: SessionOptions,
  { cwd, model }: { cwd: string; model: string },
): Promise<Session> {
  const own = options.sessionId === undefined ? {} : { id: options.sessionId };
  const from = await earlier(sessions, options, cwd);
  if (from === undefined) return sessions.create({ ...own, model, backend: "ai-sdk", cwd });
  return options.forkSession || options.sessionId !== undefined ? sessions.fork(from, { cwd, ...own }) : sessions.open(from);
}

/** The id of the session to go on with. */
async function earlier(sessions: Pick<Sessions, "latest">, options: SessionOptions, cwd: string): Promise<string | undefined> {
  if (options.continue && options.session !== undefined) throw new MortiseError("usage", { seen: "--continue and --session name two sessions" });
  if (options.session !== undefined) return options.session;
  if (options.continue) {
    const latest = await sessions.latest(cwd);
    if (latest === undefined) throw new MortiseError("no_session", { seen: `none was begun in ${cwd}` });
    return latest;
  }
  if (options.forkSession) throw new MortiseError("usage", { seen: "--fork-session needs --session or --continue" });
  return undefined;
}

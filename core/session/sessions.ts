import { access, realpath, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { MortiseError } from "../../sdk/errors.ts";
import { createKeptImages, LOG_IMAGE_CHARS } from "./kept-images.ts";
import { listSessions, type SessionInfo } from "./list-sessions.ts";
import { type LoadedLog, loadSession } from "./load-session.ts";
import { createLogFile } from "./log-file.ts";
import { copiedLines } from "./log-lines.ts";
import { type Header, LOG_VERSION } from "./records.ts";
import { createSession, type Session, type SessionSettings } from "./session.ts";
import { type SessionFiles, sessionFiles } from "./session-files.ts";
import { newSessionId } from "./session-id.ts";
import { isHeld, lockSession } from "./session-lock.ts";
import { createState, type SessionState } from "./session-state.ts";
import { noResult } from "./valid-history.ts";

export type NewSession = { id?: string; model: string; backend: "ai-sdk" | "acp"; cwd: string };

/** A session as it is on the disk. `ended` is as in `SessionInfo`; `broken` and `dropped` count lines and results that were passed over. */
export type StoredSession = { state: SessionState; ended: string; broken: number; dropped: number };

/** The sessions in a folder. Many processes may use it at once; a session itself has one owner, until it is closed or its process ends. */
export type Sessions = {
  /** Nothing is written before the first message. Throws `session_exists`, `session_locked`, `no_session` for an id that names no file. */
  create(options: NewSession): Promise<Session>;
  /** Goes on with a session; a run that did not end is ended as `interrupted`. Throws `no_session`, `session_locked`, `session_broken`, `file_failed`. */
  open(id: string): Promise<Session>;
  /** A copy under another id, which belongs to `cwd`. What the session cost, what was allowed in it and what waits in it stay with the first one, which may be in use. */
  fork(id: string, options: { cwd: string; id?: string }): Promise<Session>;
  /** Without a lock, and nothing is written. Throws `no_session`, `session_broken`, `file_failed`. */
  read(id: string): Promise<StoredSession>;
  /** Newest first: of one folder, or of all. */
  list(cwd?: string): Promise<SessionInfo[]>;
  /** The id of the session that was written to last in a folder. */
  latest(cwd: string): Promise<string | undefined>;
  /** With its archives, the trace of its calls and their spilled texts. Throws `no_session`, `session_locked`. */
  remove(id: string): Promise<void>;
};

const backends: readonly string[] = ["ai-sdk", "acp"];
const REWRITE_BYTES = 8 * 1024 * 1024;

/** @param stateFolder The user's, whose `sessions` they lie in. */
export function createSessions(stateFolder: string, options: Partial<SessionSettings> = {}): Sessions {
  const settings: SessionSettings = { now: Date.now, imageChars: LOG_IMAGE_CHARS, rewriteBytes: REWRITE_BYTES, ...options };
  const at = () => new Date(settings.now()).toISOString();

  /** The work has the lock, and gives it to the session it makes. */
  const locked = async (id: string, work: (files: SessionFiles, lock: { release(): void }) => Promise<Session>): Promise<Session> => {
    const files = sessionFiles(stateFolder, id);
    const lock = await lockSession(files.lock, id);
    try {
      return await work(files, lock);
    } catch (cause) {
      lock.release();
      throw cause;
    }
  };
  const opened = async (id: string, files: SessionFiles, lock: { release(): void }): Promise<Session> => {
    const images = createKeptImages(settings.imageChars);
    const loaded = await loadSession(id, files, images);
    if (loaded === undefined) throw new MortiseError("no_session", { seen: id });
    checkKnown(loaded);
    const session = createSession({ ...loaded, images }, files, lock, settings);
    if (session.state.ended === null || session.open().length > 0) await session.end("interrupted");
    return session;
  };
  const expectNone = async (id: string, files: SessionFiles) => {
    if ((await loadSession(id, files)) !== undefined) throw new MortiseError("session_exists", { seen: id });
  };
  const newId = (id: string | undefined) => id ?? newSessionId(settings.now());

  return {
    create({ id: wanted, model, backend, cwd }) {
      const id = newId(wanted);
      return locked(id, async (files, lock) => {
        await expectNone(id, files);
        const header: Header = { t: "header", v: LOG_VERSION, id, model, backend, cwd: await canonical(cwd), created: at(), title: "New session" };
        return createSession({ ...createState(header), length: 0, images: createKeptImages(settings.imageChars) }, files, lock, settings);
      });
    },
    async open(id) {
      await expectLog(sessionFiles(stateFolder, id), id);
      return locked(id, (files, lock) => opened(id, files, lock));
    },
    async fork(from, { cwd, id: wanted }) {
      const source = await loadSession(from, sessionFiles(stateFolder, from));
      if (source === undefined) throw new MortiseError("no_session", { seen: from });
      checkKnown(source);
      const id = newId(wanted);
      return locked(id, async (files, lock) => {
        await expectNone(id, files);
        const { model, title, header } = source.state;
        const own: Header = { ...header, id, model, title, v: LOG_VERSION, cwd: await canonical(cwd), created: at(), forkedFrom: from };
        const file = createLogFile(files.log, 0);
        try {
          await file.append(copiedLines(source.state, own, at(), createKeptImages(settings.imageChars)), true);
        } finally {
          await file.close();
        }
        return opened(id, files, lock);
      });
    },
    async read(id) {
      const files = sessionFiles(stateFolder, id);
      const loaded = await loadSession(id, files);
      if (loaded === undefined) throw new MortiseError("no_session", { seen: id });
      const running = loaded.state.ended === null && (await isHeld(files.lock));
      if (!running) for (const call of loaded.open()) loaded.apply({ t: "result", at: loaded.state.updated, result: noResult(call) });
      const ended = loaded.state.ended?.reason ?? (running ? "running" : "interrupted");
      return { state: loaded.state, ended, broken: loaded.broken, dropped: loaded.dropped() };
    },
    list: async (cwd) => listSessions(stateFolder, cwd === undefined ? undefined : await canonical(cwd)),
    latest: async (cwd) => (await listSessions(stateFolder, await canonical(cwd)))[0]?.id,
    async remove(id) {
      const files = sessionFiles(stateFolder, id);
      await expectLog(files, id);
      const lock = await lockSession(files.lock, id);
      try {
        // The log last, so that what is left after a failure can be removed again.
        for (const path of [files.folder, files.spills, `${files.log}.next`, files.log]) await rm(path, { recursive: true, force: true });
      } catch (cause) {
        throw new MortiseError("file_failed", { seen: cause instanceof Error ? cause.message : id, cause });
      } finally {
        lock.release();
      }
    },
  };
}

function checkKnown({ state: { header } }: LoadedLog): void {
  if (header.v > LOG_VERSION) throw new MortiseError("session_broken", { seen: `${header.id} was written by a later version of Mortise` });
  if (!backends.includes(header.backend))
    throw new MortiseError("session_broken", { seen: `${header.id} needs the backend ${JSON.stringify(header.backend)}, which is not there` });
}

/** Before a lock is made for it. */
async function expectLog({ log }: SessionFiles, id: string): Promise<void> {
  await access(log).catch(() => {
    throw new MortiseError("no_session", { seen: id });
  });
}

/** A folder that is gone is known by its name. */
async function canonical(cwd: string): Promise<string> {
  return realpath(cwd).catch(() => resolve(cwd));
}

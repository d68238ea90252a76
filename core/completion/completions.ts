import { createRipgrep } from "../capabilities/search/ripgrep.ts";
import type { Core } from "../core.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { type Asked, askPlugin, type Wanted } from "./ask-plugin.ts";
import type { AskedSource, Completion, CompletionRequest, CompletionRow, Completions, FoundSource } from "./completion-types.ts";
import { createFaults } from "./faults.ts";
import { createFileLists } from "./files/file-list.ts";
import { fileRows } from "./files/file-source.ts";
import { fileSource, findSources, isHosts } from "./find-sources.ts";
import { merged } from "./rows.ts";

const ROWS = 50;
const MOST_ROWS = 200;
const MOST_QUERY = 1_000;
/** The chain of the slot is asked again after so long, and where plugins change. */
const SOURCES_MS = 2_000;

type Log = (plugin: string | null, text: string) => void;

/** Completions while a person types: of the host's own sources, and of those that plugins bring. */
export function createCompletions(core: Core, log: Log): Completions {
  const closed = new AbortController();
  const ripgrep = createRipgrep();
  const lists = createFileLists(ripgrep, closed.signal);
  const faults = createFaults(log);
  let known: { sessionId: string; plugins: unknown; at: number; sources: Promise<readonly FoundSource[]> } | undefined;

  const sourcesOf = (sessionId: string): Promise<readonly FoundSource[]> => {
    const plugins = core.plugins();
    const now = performance.now();
    if (known === undefined || known.sessionId !== sessionId || known.plugins !== plugins || now - known.at > SOURCES_MS)
      known = { sessionId, plugins, at: now, sources: findSources(core, sessionId, faults).catch(() => [fileSource]) };
    return known.sources;
  };

  const ask = async (source: FoundSource, wanted: Wanted): Promise<Asked> => {
    const began = performance.now();
    if (!isHosts(source)) {
      const asked = await askPlugin(core, source, wanted);
      if (!("failure" in asked) || asked.failure.code !== "source_unknown") return asked;
      // Its isolate was made anew since: the chain brings back what it knew. It is asked once for all sources of a query.
      if (known !== undefined && known.at <= began) known = undefined;
      await sourcesOf(wanted.sessionId);
      return askPlugin(core, source, wanted);
    }
    const denies = core.permissions.leftOut({ tool: null, sessionId: wanted.sessionId, folder: wanted.cwd });
    const found = await fileRows(lists, { ...wanted, isDenied: (path) => denies(path) === "denied" });
    return { ...found, malformed: 0 };
  };

  const told = async (source: FoundSource, wanted: Wanted, done: (asked: AskedSource, rows: readonly CompletionRow[], isWhole: boolean) => void) => {
    const { name, plugin } = source;
    const started = performance.now();
    const answer = await ask(source, wanted).catch((cause: unknown): Asked => ({ failure: { code: "internal", message: messageOf(cause) } }));
    const ms = Math.round(performance.now() - started);
    if ("failure" in answer) {
      if (!wanted.signal.aborted) faults.failed(plugin, `source of completions ${name}`, answer.failure.message);
      done({ name, plugin, rows: 0, ms, failure: answer.failure }, [], true);
      return;
    }
    if (answer.malformed > 0) faults.failed(plugin, `source of completions ${name}`, `${answer.malformed} of its items are none, and were left out`);
    else faults.well(plugin, `source of completions ${name}`);
    done({ name, plugin, rows: answer.rows.length, ms, failure: null }, answer.rows, answer.isWhole ?? true);
  };

  const answer = async (request: CompletionRequest, signal: AbortSignal): Promise<Completion> => {
    const { trigger, query, limit: rows = ROWS, sessionId = core.sessionId, cwd = core.cwd, patienceMs } = request;
    if (query.length > MOST_QUERY) return nothing;
    const limit = Math.min(Math.max(1, Math.floor(rows) || 1), MOST_ROWS);
    const sources = (await sourcesOf(sessionId)).filter((source) => source.trigger === trigger);
    const landed = sources.map((): { asked: AskedSource; rows: readonly CompletionRow[]; isWhole: boolean } | undefined => undefined);
    const soFar = (): Completion => ({
      rows: merged(
        landed.map((each) => each?.rows ?? []),
        limit,
      ),
      sources: landed.flatMap((each) => (each === undefined ? [] : [each.asked])),
      isWhole: landed.every((each) => each?.isWhole === true),
    });
    const all = Promise.all(
      sources.map((source, i) =>
        told(source, { trigger, query, sessionId, cwd, limit, signal }, (asked, found, isWhole) => {
          landed[i] = { asked, rows: found, isWhole };
        }),
      ),
    );
    if (patienceMs === undefined) await all;
    else if (!(await Promise.race([all.then(() => true), later(patienceMs)]))) {
      void all.then(() => {
        if (!signal.aborted) request.onMore?.(soFar());
      });
    }
    return soFar();
  };

  return {
    async complete(request, given) {
      const signal = given === undefined ? closed.signal : AbortSignal.any([closed.signal, given]);
      try {
        return await unlessAborted(answer(request, signal), signal);
      } catch (cause) {
        if (!signal.aborted) log(null, `Completions failed: ${messageOf(cause)}`);
        return nothing;
      }
    },
    sources: (sessionId = core.sessionId) => sourcesOf(sessionId).catch(() => []),
    async close() {
      closed.abort();
      await ripgrep.close();
    },
  };
}

const nothing: Completion = { rows: [], sources: [], isWhole: true };

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function later(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
}

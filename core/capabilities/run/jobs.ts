import { randomBytes } from "node:crypto";
import { MortiseError } from "../../../sdk/errors.ts";
import type { Caller } from "../capabilities.ts";
import { type Job, type JobLimits, type JobRequest, startJob } from "./job.ts";
import { killAfterDeath } from "./kill-after-death.ts";
import { killOnExit } from "./kill-on-exit.ts";
import { createPipes } from "./pipes.ts";

export type JobScope = "task" | "plugin" | "session";

export type Owner = {
  plugin: string;
  /** Null outside a tool call. */
  toolId: string | null;
  sessionId: string | null;
  scope: JobScope;
  /** Somebody waits for it in a call, so it ends with the call whatever its scope; what it left behind does not. */
  foreground: boolean;
};

export type KnownJob = Owner & { id: number; name: string | undefined; argv: readonly string[]; job: Job };

export type Jobs = {
  start(request: JobRequest, owner: Owner, name?: string): KnownJob;
  /** A job of this plugin; throws `unknown_job`. */
  get(plugin: string, id: number): KnownJob;
  list(plugin: string): KnownJob[];
  endCall(toolId: string): Promise<void>;
  /** Session jobs stay: they survive a reload. */
  endPlugin(plugin: string): Promise<void>;
  endSession(sessionId: string): Promise<void>;
  /** @param plugin Only the jobs of this plugin. */
  partial(toolId: string, plugin?: string): { text: string; droppedBytes: number } | undefined;
  close(): Promise<void>;
  /** Ends everything at once, without waiting: for a process that exits now. */
  killNow(): void;
};

/** Running jobs of one plugin. */
const MAX_RUNNING = 64;
/** Jobs of one plugin that are over and remembered, and bytes of output they hold. */
const MAX_OVER = 32;
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** The same for jobs of a call that goes on, whose output is then forgotten. */
const MAX_RECORDS = 1_000;

/** All jobs of a host, and when each has to end at the latest. */
export function createJobs(limits: JobLimits): Jobs {
  const pipes = createPipes();
  const jobs = new Map<number, KnownJob>();
  let lastId = 0;
  let closed = false;
  const mark = randomBytes(12).toString("hex");
  let unwatch: (() => void) | undefined;
  let allEnded: (() => void) | undefined;

  const killNow = () => {
    for (const { job } of jobs.values()) job.killNow();
  };
  const of = (fits: (job: KnownJob) => boolean) => [...jobs.values()].filter(fits);
  const endAll = async (ended: readonly KnownJob[]) => {
    await Promise.all(ended.map(({ job }) => job.end("cancelled")));
  };

  /** Forgets the oldest that are over; one that left something running is kept, without its output. */
  const tidy = (plugin: string) => {
    const over = of((known) => known.plugin === plugin && !known.job.running()).reverse();
    let held = 0;
    for (const [index, known] of over.entries()) {
      held += known.job.heldBytes();
      if (index === 0 || (index < MAX_OVER && held <= MAX_HELD_BYTES)) continue;
      known.job.forget();
      if ((known.toolId === null || index >= MAX_RECORDS) && !known.job.alive()) jobs.delete(known.id);
    }
  };

  return {
    start(request, owner, name) {
      if (closed) throw new MortiseError("not_here", { seen: "the host is closing" });
      if (of((known) => known.plugin === owner.plugin && known.job.running()).length >= MAX_RUNNING) {
        throw new MortiseError("too_many_requests", { seen: `${MAX_RUNNING} jobs of ${owner.plugin} are running`, plugin: owner.plugin });
      }
      unwatch ??= killOnExit(killNow);
      allEnded ??= killAfterDeath(mark);
      const known = { ...owner, id: ++lastId, name, argv: request.argv, job: startJob(request, pipes, limits, mark) };
      jobs.set(known.id, known);
      known.job.result.then(
        () => tidy(owner.plugin),
        () => jobs.delete(known.id),
      );
      return known;
    },
    get(plugin, id) {
      const known = jobs.get(id);
      if (known === undefined || known.plugin !== plugin) throw new MortiseError("unknown_job", { seen: String(id), plugin });
      return known;
    },
    list: (plugin) => of((known) => known.plugin === plugin),
    async endCall(toolId) {
      if (jobs.size === 0) return;
      const mine = of((known) => known.toolId === toolId);
      await endAll(mine.filter(({ scope, foreground, job }) => scope === "task" || (foreground && job.running())));
      for (const known of mine) {
        known.toolId = null;
        if (known.foreground) known.job.forget();
        if ((known.scope === "task" || known.foreground) && !known.job.alive()) jobs.delete(known.id);
      }
    },
    async endPlugin(plugin) {
      const mine = of((known) => known.plugin === plugin && known.scope !== "session");
      await endAll(mine);
      for (const { id } of mine) jobs.delete(id);
    },
    async endSession(sessionId) {
      const mine = of((known) => known.sessionId === sessionId && known.scope !== "plugin");
      await endAll(mine);
      for (const { id } of mine) jobs.delete(id);
    },
    partial(toolId, plugin) {
      const outputs = of((known) => known.toolId === toolId && (plugin === undefined || known.plugin === plugin)).map(({ job }) => job.output());
      if (outputs.length === 0) return undefined;
      return {
        text: outputs.map(withGap).join(""),
        droppedBytes: outputs.reduce((sum, { droppedBytes }) => sum + droppedBytes, 0),
      };
    },
    async close() {
      closed = true;
      await endAll([...jobs.values()]);
      jobs.clear();
      unwatch?.();
      allEnded?.();
      await pipes.close();
    },
    killNow,
  };
}

function withGap({ text, droppedBytes, cutAt }: { text: string; droppedBytes: number; cutAt: number }): string {
  return droppedBytes === 0 ? text : `${text.slice(0, cutAt)}\n[${droppedBytes} bytes left out]\n${text.slice(cutAt)}`;
}

/** Who a job belongs to. Throws `not_here` for a scope that there is nothing to end with. */
export function ownerOf(caller: Caller, scope: JobScope | undefined, foreground: boolean): Owner {
  const { call } = caller;
  if (call === null && (scope === "task" || scope === "session")) {
    throw new MortiseError("not_here", { seen: `a job of scope ${scope} outside a tool call`, plugin: caller.plugin });
  }
  return {
    plugin: caller.plugin,
    toolId: call?.toolId ?? null,
    sessionId: call?.sessionId ?? null,
    scope: scope ?? (call === null ? "plugin" : "task"),
    foreground,
  };
}

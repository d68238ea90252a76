import * as z from "zod/mini";
import type { RunResult } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { cutAtWord } from "../../output/cut-at-word.ts";
import { Path, parseArguments, Word } from "../arguments.ts";
import type { Caller, CapabilitiesHost, Methods } from "../capabilities.ts";
import { absolutePath } from "../fs/canonical-path.ts";
import { notGranted, scopesOf } from "../granted.ts";
import { childEnvironment, notSettable } from "./child-environment.ts";
import { type Jobs, type KnownJob, ownerOf } from "./jobs.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;
const DEFAULT_OUTPUT_BYTES = 8 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const DEFAULT_TAIL = 20;

const whole = (maximum: number) => z.int().check(z.minimum(1), z.maximum(maximum));
const Request = z.object({
  argv: z.array(Word).check(
    z.minLength(1),
    z.maxLength(10_000),
    z.refine((argv) => argv[0] !== ""),
  ),
  cwd: z.nullish(Path),
  env: z.nullish(z.record(Word.check(z.regex(/^[^=]+$/)), Word)),
  maxOutputBytes: z.nullish(whole(MAX_OUTPUT_BYTES)),
  timeoutMs: z.nullish(z.number().check(z.positive(), z.maximum(MAX_TIMER_MS))),
  stdin: z.nullish(z.string()),
  live: z.nullish(z.boolean()),
  scope: z.nullish(z.enum(["task", "plugin", "session"])),
  name: z.nullish(z.string().check(z.maxLength(200))),
});
type Request = z.infer<typeof Request>;
const RunArguments = z.tuple([Request]);
const Id = z.int();
const OneJob = z.tuple([Id]);
const WaitArguments = z.tuple([Id, z.optional(z.object({ timeoutMs: z.nullish(z.number().check(z.minimum(0), z.maximum(MAX_TIMER_MS))) }))]);
const TailArguments = z.tuple([Id, z.optional(whole(10_000))]);

/** Programs. Each request is judged against the grant, and each plugin sees its own jobs alone. */
export function runMethods(host: CapabilitiesHost, jobs: Jobs): Methods {
  const begin = (method: string, args: unknown[], caller: Caller, foreground: boolean): KnownJob => {
    const [request] = parseArguments(method, RunArguments, args);
    const env = request.env ?? {};
    const owner = ownerOf(caller, request.scope ?? undefined, foreground);
    return jobs.start(
      {
        allow: () => requireAllowed(request, caller, host),
        argv: request.argv,
        cwd: folderOf(request.cwd ?? undefined, caller.call?.cwd ?? host.cwd),
        env: (marker) => childEnvironment(process.env, { passSecrets: host.passSecrets, set: env, marker }),
        maxOutputBytes: request.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES,
        timeoutMs: request.timeoutMs ?? undefined,
        stdin: request.stdin ?? undefined,
        live: request.live === true ? caller.call?.live : undefined,
      },
      owner,
      request.name ?? undefined,
    );
  };

  return {
    "run.exec": async (args, caller) => {
      const { job } = begin("run.exec", args, caller, true);
      const stop = endOn(caller.call?.signal, (why) => void job.end(why));
      return job.result.finally(stop);
    },
    "run.start": async (args, caller) => {
      const { id, job, scope } = begin("run.start", args, caller, false);
      const stop = scope === "task" ? endOn(caller.call?.signal, (why) => void job.end(why)) : () => {};
      job.result.catch(() => {}).finally(stop);
      await job.started;
      return id;
    },
    "run.wait": async (args, caller) => {
      const [id, options] = parseArguments("run.wait", WaitArguments, args);
      return waitFor(jobs.get(caller.plugin, id), options?.timeoutMs ?? undefined, caller.call?.signal);
    },
    "run.tail": async (args, caller) => {
      const [id, lines] = parseArguments("run.tail", TailArguments, args);
      return jobs.get(caller.plugin, id).job.lastLines(lines ?? DEFAULT_TAIL);
    },
    "run.stop": async (args, caller) => {
      const [id] = parseArguments("run.stop", OneJob, args);
      await jobs.get(caller.plugin, id).job.end("cancelled");
    },
    "run.list": async (_args, caller) =>
      jobs.list(caller.plugin).map(({ id, name, argv, job }) => ({
        id,
        ...(name === undefined ? {} : { name }),
        argv: [...argv],
        running: job.running(),
      })),
  };
}

function folderOf(named: string | undefined, cwd: string): string {
  return named === undefined ? cwd : absolutePath(named, cwd);
}

async function requireAllowed(request: Request, caller: Caller, host: CapabilitiesHost): Promise<void> {
  const scopes = scopesOf(caller, "run");
  if (scopes === true) return;
  const variable = notSettable(request.env ?? {});
  if (variable !== undefined) throw notGranted(caller, `run with ${variable} set, which a grant of some commands does not cover`);
  if (!(await host.commandAllowed(request.argv, scopes))) throw notGranted(caller, `run of ${cutAtWord(request.argv.join(" "), 200)}`);
}

/** Calls back when the signal fires, or at once where it has; returns the undo. */
function endOn(signal: AbortSignal | undefined, end: (why: "timeout" | "cancelled") => void): () => void {
  const onAbort = () => end(signal?.reason instanceof MortiseError && signal.reason.code === "deadline_passed" ? "timeout" : "cancelled");
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  return () => signal?.removeEventListener("abort", onAbort);
}

/** Undefined where the job is not over in time. A job that could not be started throws what its start threw. */
async function waitFor({ job }: KnownJob, timeoutMs: number | undefined, signal: AbortSignal | undefined): Promise<RunResult | undefined> {
  if (!job.running()) return job.result;
  return new Promise((resolve, reject) => {
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => resolve(undefined), timeoutMs);
    const stop = endOn(signal, () => reject(signal?.reason instanceof MortiseError ? signal.reason : new MortiseError("cancelled")));
    job.result.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      stop();
    });
  });
}

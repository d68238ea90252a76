import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "../host.ts";
import type { CallRequest, Host, HostOptions, LogEntry } from "../host-types.ts";
import type { PromptAnswer, PromptRequest } from "../permission/permission.ts";
import type { CallRecord } from "../record.ts";

export type TestOptions = Omit<HostOptions, "ask" | "onLog"> & {
  /** Answers prompts: one answer for all, or a function. Without it nobody is there. */
  answer?: PromptAnswer["decision"] | ((request: PromptRequest) => PromptAnswer | Promise<PromptAnswer>);
};

export type TestHost = Omit<Host, "call"> & {
  /** Calls a tool as a model would, allowed by yolo unless the options say otherwise. */
  call(tool: string, input: unknown, request?: Partial<Omit<CallRequest, "tool" | "input">>): Promise<CallRecord>;
  /** A folder of the test's own; the working directory unless the options name one. Removed by `close`. */
  readonly folder: string;
  /** Every prompt that was shown. */
  readonly prompts: readonly PromptRequest[];
  /** What was streamed by calls, in order, as it was shown. */
  readonly shown: readonly string[];
  readonly logs: readonly LogEntry[];
};

/** A host in a test: real isolates and real tools in a folder of its own. No file of the user is read. */
export async function testHost(options: TestOptions = {}): Promise<TestHost> {
  const folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
  const prompts: PromptRequest[] = [];
  const shown: string[] = [];
  const logs: LogEntry[] = [];
  const { answer, ...rest } = options;
  const host = await createHost({
    cwd: folder,
    yolo: answer === undefined,
    spare: false,
    stateFolder: join(folder, ".state"),
    ...rest,
    onLog: (entry) => logs.push(entry),
    ...(answer === undefined
      ? {}
      : {
          ask: async (request) => {
            prompts.push(request);
            return typeof answer === "function" ? answer(request) : { decision: answer };
          },
        }),
  }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const test: TestHost = {
    ...host,
    folder,
    prompts,
    shown,
    logs,
    call: (tool, input, request = {}) => host.call({ onOutput: (text) => shown.push(text), ...request, tool, input }),
    async close() {
      await host.close();
      await rm(folder, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: () => test.close(),
  };
  return test;
}

import { definePlugin, type NestedResult } from "mortise/sdk";
import { type Call, type Entry, readCalls } from "./calls.ts";
import { cutText, type Size } from "./cut.ts";
import { description, MAX_CALLS } from "./description.ts";
import { type Ended, imagesOf, report, sameShare } from "./report.ts";

type Input = { tool_calls: Entry[] };

/** A little below what the host takes of one result. */
const WHOLE: Size = { lines: Number.MAX_SAFE_INTEGER, bytes: 8_000_000 };
/** The last resort: every call has a deadline of its own. */
const TIMEOUT_MS = 3_600_000;
/** Milliseconds that calls have to hand in what they have, after a cancel: a process that stays is ended after one second. */
const LAST_MS = 2_000;

export default definePlugin(
  {
    name: "batch",
    description: "Runs several calls of tools at once",
    // What calls of any tool cost.
    capabilities: { fs_read: true, fs_write: true, net: true, run: true, env: true },
    memoryMb: 128,
  },
  (api) => {
    api.registerTool<Input>({
      name: "batch",
      kind: "other",
      description,
      audiences: ["main", "research", "general"],
      input: {
        type: "object",
        properties: {
          tool_calls: {
            type: "array",
            description: `The calls, ${MAX_CALLS} at most`,
            items: {
              type: "object",
              properties: {
                tool: { type: "string", minLength: 1, description: "The name of the tool" },
                parameters: { type: "object", description: "Its parameters" },
              },
              required: ["tool"],
              additionalProperties: true,
            },
          },
        },
        required: ["tool_calls"],
      },
      timeoutMs: TIMEOUT_MS,
      // It does nothing itself: each of its calls is judged and asked about as its own.
      scopes: "none",
      run: async ({ tool_calls }, { signal, shown }) => {
        const read = readCalls(tool_calls);
        if ("fault" in read) return { text: read.fault, isError: true };
        const calls = read.calls.slice(0, MAX_CALLS);
        const beyond = read.calls.slice(MAX_CALLS).map(({ tool }) => tool);
        const share = sameShare(WHOLE, calls.length);
        const ended = await endOf(
          calls.map((call) => ({ tool: call.tool, running: shown === undefined ? runWhole(call, share) : runOne(call) })),
          signal,
        );
        const images = imagesOf(ended);
        // Where this plugin may call none of them, nothing was tried.
        const isRefused = ended.every(({ result }) => result?.code === "not_granted");
        return {
          text: await report(ended, beyond, shown, keep),
          isError: isRefused || signal.aborted,
          data: { calls: ended.map(({ tool, result }) => ({ tool, isError: result?.isError ?? true, code: result?.code ?? null })) },
          ...(images.length === 0 ? {} : { images }),
          ...(signal.aborted ? { cut: "cancelled" as const } : {}),
        };
      },
    });

    const runOne = async ({ tool, input }: Call): Promise<NestedResult> => {
      if (tool === "batch") return { text: "A batch cannot be run inside a batch: list its calls in this one.", isError: true };
      try {
        return await api.tools.call(tool, input, { outputMode: "compact" });
      } catch (error) {
        const code = error instanceof Error && "code" in error ? { code: String(error.code) } : {};
        return { text: error instanceof Error ? error.message : String(error), isError: true, ...code };
      }
    };

    const keep = async ({ id, spill }: NestedResult): Promise<string | undefined> =>
      spill ?? (id === undefined ? undefined : api.tools.keep(id).catch(() => undefined));

    /** All of the text, as far as so many together fit into one result; cut as it comes, since whole ones together take much memory. */
    const runWhole = async (call: Call, share: Size): Promise<NestedResult> => {
      const result = await runOne(call);
      return result.text.length <= share.bytes ? result : { ...result, text: cutText(result.text, share, "") };
    };
  },
);

/** Waits for all calls. After a cancel, for those that end at once: one that goes on regardless keeps nobody. */
async function endOf(calls: readonly { tool: string; running: Promise<NestedResult> }[], signal: AbortSignal): Promise<Ended[]> {
  const ended: Ended[] = calls.map(({ tool }) => ({ tool, result: undefined }));
  const all = Promise.all(
    calls.map(async ({ tool, running }, index) => {
      ended[index] = { tool, result: await running };
    }),
  );
  await Promise.race([all, cancelled(signal)]);
  return [...ended];
}

function cancelled(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wait = () => void setTimeout(resolve, LAST_MS);
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait);
  });
}

import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { createChannel } from "../../frames/channel.ts";
import { type SecondReading, secondReading } from "./differs.ts";
import { createGrammars, deadlineAfter } from "./parser.ts";
import { type QueryRequest, runQuery } from "./query.ts";
import { understand } from "./understand.ts";

/**
 * The syntax process: each of its threads answers one request after another. Anything that breaks the wasm runtime ends it, and the host starts another.
 * It is started for one kind of request, so that what one breaks is not what the other needs.
 */

/** The first thread's socket; those of the others follow. */
const SOCKET = 3;

type UnderstandRequest = {
  id: number;
  kind: "understand";
  text: string;
  cwd: string | null;
  env: Record<string, string>;
  folders: string[];
  plainNames: boolean;
  budgetMs: number;
};
/** A query comes once, and by its number from then on. */
type NumberedRequest = Omit<QueryRequest, "query"> & { query: { number: number; source?: string } };
type Request = UnderstandRequest | QueryRequest;
/** Requests, whose texts lie beside them, or a thread to start. */
type Message = { requests: (UnderstandRequest | NumberedRequest)[] } | { thread: number };
type Answered = { id: number; failed?: string; fatal?: boolean };

const grammars = await createGrammars(join(dirname(fileURLToPath(import.meta.url)), "grammars"));
if (process.argv[2] === "understand") {
  // The first parse compiles the grammar: it counts against nobody.
  await answer({
    id: 0,
    kind: "understand",
    cwd: "/",
    env: {},
    folders: [],
    plainNames: false,
    text: "for a in b; do c | d > e && (f) || { g \"$h\" '$i'; }; done <<X\n$(j)\nX\n",
    budgetMs: 10_000,
  });
}

const queries: string[] = [];
const socket = new Socket({ fd: SOCKET + (isMainThread ? 0 : Number(workerData)) });
const channel = createChannel(
  socket,
  ({ head, parts }) => void hear(JSON.parse(head) as Message, parts),
  () => process.exit(1),
);
socket.on("close", () => process.exit(0));
channel.send({ ready: true }, []);

/** The host made it, so it is not parsed again. */
async function hear(message: Message, texts: readonly string[]): Promise<void> {
  if ("thread" in message) {
    new Worker(new URL(import.meta.url), { workerData: message.thread });
    return;
  }
  const answers: Answered[] = [];
  const captures: string[] = [];
  for (const [at, request] of message.requests.entries()) {
    const { captures: own, ...rest } = await answered(whole(request, texts[at] ?? ""));
    answers.push(rest);
    if (request.kind === "query") captures.push(own ?? "");
  }
  channel.send({ answers }, captures);
}

function whole(request: UnderstandRequest | NumberedRequest, text: string): Request {
  if (request.kind === "understand") return { ...request, text };
  const { number, source } = request.query;
  if (source !== undefined) queries[number] = source;
  return { ...request, text, query: queries[number] ?? "" };
}

async function answered(request: Request): Promise<Answered & { captures?: string }> {
  const { id } = request;
  try {
    return { id, ...(await answer(request)) };
  } catch (error) {
    const failed = String(error instanceof Error ? error.message : error).slice(0, 500);
    // Deep trees end the stack, in wasm or in what walks them: what is left of the runtime is not to be trusted.
    const fatal = error instanceof WebAssembly.RuntimeError || error instanceof RangeError || /aborted/i.test(failed);
    return { id, failed, fatal };
  }
}

async function answer(request: Request): Promise<object> {
  if (request.kind === "query") return runQuery(await grammars.parser(request.language), request);
  const parser = await grammars.parser("bash");
  const { cwd, env, folders, plainNames } = request;
  return understand(request.text, { cwd: cwd ?? undefined, env, folders, plainNames }, (text): SecondReading | "late" => {
    const parsed = parser.parse(text, deadlineAfter(request.budgetMs));
    if (parsed === undefined) return "late";
    try {
      return secondReading(parsed, text);
    } finally {
      parsed.delete();
    }
  });
}

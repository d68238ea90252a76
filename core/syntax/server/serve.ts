import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createChannel } from "../../frames/channel.ts";
import { type SecondReading, secondReading } from "./differs.ts";
import { createGrammars, deadlineAfter, type Grammars } from "./parser.ts";
import { type QueryRequest, runQuery } from "./query.ts";
import { understand } from "./understand.ts";

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
/** Their texts lie beside them. */
type Message = { requests: (UnderstandRequest | NumberedRequest)[] };
type Answered = { id: number; failed?: string; fatal?: boolean };

/** Answers one group of requests after another. Says that it is there once it is. */
export async function serve(socket: Socket, understands: boolean): Promise<void> {
  const grammars = await createGrammars(join(dirname(fileURLToPath(import.meta.url)), "grammars"));
  // The first parse compiles the grammar: it counts against nobody.
  if (understands) await answer(grammars, first);
  const queries: string[] = [];
  const channel = createChannel(
    socket,
    // The host made it, so it is not parsed again.
    ({ head, parts }) => void hear(JSON.parse(head) as Message, parts),
    () => process.exit(1),
  );
  channel.send({ ready: true }, []);

  async function hear({ requests }: Message, texts: readonly string[]): Promise<void> {
    const answers: Answered[] = [];
    const captures: string[] = [];
    for (const [at, request] of requests.entries()) {
      const { captures: own, ...rest } = await answered(grammars, whole(request, texts[at] ?? ""));
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
}

const first: UnderstandRequest = {
  id: 0,
  kind: "understand",
  cwd: "/",
  env: {},
  folders: [],
  plainNames: false,
  text: "for a in b; do c | d > e && (f) || { g \"$h\" '$i'; }; done <<X\n$(j)\nX\n",
  budgetMs: 10_000,
};

async function answered(grammars: Grammars, request: Request): Promise<Answered & { captures?: string }> {
  const { id } = request;
  try {
    return { id, ...(await answer(grammars, request)) };
  } catch (error) {
    const failed = String(error instanceof Error ? error.message : error).slice(0, 500);
    // Deep trees end the stack, in wasm or in what walks them: what is left of the runtime is not to be trusted.
    const fatal = error instanceof WebAssembly.RuntimeError || error instanceof RangeError || /aborted/i.test(failed);
    return { id, failed, fatal };
  }
}

async function answer(grammars: Grammars, request: Request): Promise<object> {
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

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type SecondReading, secondReading } from "./differs.ts";
import { createGrammars, deadlineAfter } from "./parser.ts";
import { type QueryRequest, runQuery } from "./query.ts";
import { understand } from "./understand.ts";

/**
 * The syntax process: answers one request after another. Anything that breaks the wasm runtime ends it, and the host starts another.
 * It is started for one kind of request, so that what one breaks is not what the other needs.
 */

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
type Request = UnderstandRequest | QueryRequest;
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

process.on("message", async ({ requests }: { requests: Request[] }) => {
  const answers: Answered[] = [];
  for (const request of requests) answers.push(await answered(request));
  const fatal = answers.some((each) => each.fatal);
  process.send?.({ answers }, undefined, {}, () => fatal && process.exit(1));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });

async function answered(request: Request): Promise<Answered> {
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

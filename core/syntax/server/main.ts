import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type SecondReading, secondReading } from "./differs.ts";
import { deadlineAfter, loadParser } from "./parser.ts";
import { runQuery } from "./query.ts";
import { understand } from "./understand.ts";

/** The syntax process: answers one request after another. Anything that breaks the wasm runtime ends it, and the host starts another. */

type Request =
  | { id: number; kind: "understand"; text: string; cwd: string | null; env: Record<string, string>; folders: string[]; budgetMs: number }
  | { id: number; kind: "query"; text: string; query: string; maxCaptures: number; budgetMs: number };

const parser = await loadParser(join(dirname(fileURLToPath(import.meta.url)), "grammars"));
// The first parse compiles the grammar: it counts against nobody.
answer({
  id: 0,
  kind: "understand",
  cwd: "/",
  env: {},
  folders: [],
  text: "for a in b; do c | d > e && (f) || { g \"$h\" '$i'; }; done <<X\n$(j)\nX\n",
  budgetMs: 10_000,
});

process.on("message", ({ requests }: { requests: Request[] }) => {
  const answers = requests.map(answered);
  const fatal = answers.some((each) => each.fatal);
  process.send?.({ answers }, undefined, {}, () => fatal && process.exit(1));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });

function answered(request: Request): { id: number; failed?: string; fatal?: boolean } {
  const { id } = request;
  try {
    return { id, ...answer(request) };
  } catch (error) {
    const failed = String(error instanceof Error ? error.message : error).slice(0, 500);
    return { id, failed, fatal: error instanceof WebAssembly.RuntimeError || /aborted/i.test(failed) };
  }
}

function answer(request: Request): object {
  if (request.kind === "query") return runQuery(parser, request, deadlineAfter(request.budgetMs));
  return understand(request.text, { cwd: request.cwd ?? undefined, env: request.env, folders: request.folders }, (text): SecondReading | "late" => {
    const parsed = parser.parse(text, deadlineAfter(request.budgetMs));
    if (parsed === undefined) return "late";
    try {
      return secondReading(parsed, text);
    } finally {
      parsed.delete();
    }
  });
}

import { definePlugin, type SyntaxAnswer, type ToolInputs, type ToolResult } from "mortise/sdk";
import { explain } from "./explain.ts";
import { itemsOf } from "./items.ts";
import { createKept } from "./kept.ts";
import type { GrammarLanguage, Language, ScannedLanguage } from "./language.ts";
import { languageOf } from "./language-of.ts";
import { joined, outline } from "./outline.ts";
import { page } from "./page.ts";
import { roughLines } from "./rough.ts";

type Input = ToolInputs["index"];
/** The lines of an outline, and what is to be known about them. */
type Made = { lines: readonly string[]; notes: readonly string[] };

/** The share of a file that may be wrong before another grammar is tried. */
const MOST_WRONG = 0.02;
const MB = 1024 * 1024;
/** Characters of outlines that are kept. */
const KEPT_CHARS = 8 * MB;
const MOST_CAPTURES = 100_000;
const CAPTURED_CHARS = 600;

const description = `Outlines a file: its imports, types, functions, classes with their methods, headings or keys, each with its lines as \`[start-end]\`. Costs a small part of reading the file. Use it first, then read the lines you need with \`offset\` and \`limit\`. Knows most programming languages, and markdown, JSON, YAML, TOML, SQL, HTML, CSS and the like.`;

export default definePlugin(
  {
    name: "index",
    description: "Outlines files: what is declared where",
    capabilities: { fs_read: true },
    memoryMb: 128,
    options: { maxFileSizeMb: 2 },
  },
  (api) => {
    const kept = createKept<Made & { hash: string }>(KEPT_CHARS);
    const maxBytes = Math.round(Math.min(Math.max(Number(api.options.maxFileSizeMb) || 2, 1), 8) * MB);

    api.registerTool<Input>({
      name: "index",
      kind: "search",
      parses: true,
      capability: "fs_read",
      description,
      input: {
        type: "object",
        properties: {
          path: { type: "string", minLength: 1, description: "The file, absolute or relative to the working directory" },
          offset: { type: "integer", minimum: 1, description: "The first line of a long outline to show, counted from 1" },
        },
        required: ["path"],
      },
      aliases: { file_path: "path" },
      scopes: { path: "path", access: "read" },
      run: async ({ path, offset = 1 }, call) => {
        try {
          const made = await outlineOf(path);
          return page(made, { path, offset, whole: call.outputMode === "full" });
        } catch (error) {
          return refused(await explain(api.fs, path, maxBytes, error));
        }
      },
    });

    async function outlineOf(path: string): Promise<Made> {
      const language = languageOf(path) ?? languageOf(path, await firstLine(path));
      if (language === undefined) return rough(path, `no grammar is known for ${ending(path)}`);
      return "grammar" in language ? parsed(path, language) : scanned(path, language);
    }

    async function parsed(path: string, language: GrammarLanguage): Promise<Made> {
      const before = kept.get(path);
      const first = await ask(path, language, before?.hash);
      if (typeof first === "string") return rough(path, first);
      const answer = first.wrong > (first.bytes ?? 0) * MOST_WRONG ? await better(path, first, language.orElse) : first;
      if (answer.unchanged && before !== undefined) return before;
      if (answer.encoding === "binary") throw new Error(`${path} is a binary file of ${answer.bytes} bytes.`);
      const inner = await inside(path, language.inside ?? []);
      const lines = joined([outline(itemsOf(answer.captures), language), ...inner.map(({ lines }) => lines)]);
      const notes = [
        ...(answer.wrong > (lines.length === 0 ? 0 : (language.overlooked ?? 0)) || inner.some(({ hasError }) => hasError)
          ? ["the file has syntax errors; what is listed is what could be parsed"]
          : []),
        ...(answer.truncated ? ["the file declares more than is listed"] : []),
        ...(answer.invalid ? ["bytes that are no UTF-8 are shown as \ufffd"] : []),
      ];
      const made = { lines, notes, hash: answer.hash ?? "" };
      kept.set(path, made, path.length + lines.reduce((sum, line) => sum + line.length, 0));
      return made;
    }

    /** What is written in other languages within the file, each by its own outline. */
    async function inside(path: string, languages: readonly GrammarLanguage[]): Promise<{ lines: string[]; hasError: boolean }[]> {
      const answers = await Promise.all(languages.map(async (language) => ({ language, answer: await ask(path, language, undefined) })));
      return answers.flatMap(({ language, answer }) =>
        typeof answer === "string" ? [] : [{ lines: outline(itemsOf(answer.captures), language), hasError: answer.hasError }],
      );
    }

    /** The answer by another grammar, where that makes more of the file. */
    async function better(path: string, first: SyntaxAnswer, other: GrammarLanguage | undefined): Promise<SyntaxAnswer> {
      const second = other === undefined ? undefined : await ask(path, other, undefined);
      if (second === undefined || typeof second === "string") return first;
      return second.wrong < first.wrong ? second : first;
    }

    /** What the parser found, or why it could not. */
    async function ask(
      path: string,
      { grammar, query, mask, mend, depth }: GrammarLanguage,
      unless: string | undefined,
    ): Promise<SyntaxAnswer | string> {
      try {
        return await api.syntax.query({
          path,
          language: grammar,
          query,
          ...(mask === undefined ? {} : { mask }),
          ...(mend === undefined ? {} : { mend }),
          ...(depth === undefined ? {} : { depth }),
          maxBytes,
          maxCaptures: MOST_CAPTURES,
          texts: { max: CAPTURED_CHARS, until: "_body", without: ["doc", "cut"] },
          ...(unless === undefined ? {} : { unless }),
        });
      } catch (error) {
        if (codeOf(error) !== "syntax_failed") throw error;
        return error instanceof Error ? error.message : String(error);
      }
    }

    async function scanned(path: string, language: ScannedLanguage): Promise<Made> {
      return { lines: outline(language.scan(await read(path)), language), notes: [] };
    }

    async function rough(path: string, why: string): Promise<Made> {
      return { lines: roughLines(await read(path)), notes: [`outlined by indentation: ${why}`] };
    }

    async function read(path: string): Promise<string> {
      const stat = await api.fs.stat(path);
      if (stat !== undefined && stat.type === "file" && stat.bytes > maxBytes) throw new Error("too long");
      const text = await api.fs.read(path);
      if (text.slice(0, 65_536).includes("\0")) throw new Error(`${path} is a binary file.`);
      return text;
    }

    async function firstLine(path: string): Promise<string> {
      if (/[^/]\.[^/.]+$/.test(path)) return "";
      const window = await api.fs.readWindow(path, { limit: 1, maxLineChars: 200 });
      return window.lines[0] ?? "";
    }
  },
);

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function ending(path: string): string {
  return /[^/](\.[^/.]+)$/.exec(path)?.[1] ?? "a file without an ending";
}

function refused(text: string): ToolResult {
  return { text, isError: true };
}

export type { Language };

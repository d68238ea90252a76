import * as z from "zod/mini";
import { MortiseError } from "../sdk/errors.ts";
import { Path } from "./capabilities/arguments.ts";
import type { Caller, Capabilities } from "./capabilities/capabilities.ts";
import { createFileTexts } from "./file-texts.ts";
import type { QueryResult, Syntax } from "./syntax/syntax.ts";

const Texts = z.object({
  max: z.optional(z.int().check(z.minimum(0))),
  until: z.optional(z.string()),
  without: z.optional(z.array(z.string())),
});

/** What a plugin asks `api.syntax.query` for. */
export const SyntaxRequest = z.tuple([
  z.object({
    language: z.string(),
    query: z.string(),
    mask: z.optional(z.string()),
    mend: z.optional(z.string()),
    depth: z.optional(z.int().check(z.minimum(0))),
    text: z.optional(z.string()),
    path: z.optional(Path),
    maxBytes: z.optional(z.int().check(z.minimum(1))),
    unless: z.optional(z.string()),
    maxCaptures: z.optional(z.number()),
    texts: z.optional(Texts),
  }),
]);
export type SyntaxRequest = z.infer<typeof SyntaxRequest>[0];

const MAX_FILE_BYTES = 2 * 1024 * 1024;

type FileFacts = { hash: string; bytes: number; encoding: string; invalid: boolean };
type Answer = QueryResult & Partial<FileFacts> & { unchanged: boolean };

/** Queries over text that a plugin sends, or over a file that it may read, whose text goes straight to the parser. */
export function createSyntaxQuery(syntax: Pick<Syntax, "query">, { toOpen }: Pick<Capabilities, "toOpen">) {
  const files = createFileTexts();

  return async (request: SyntaxRequest, caller: Caller): Promise<Answer> => {
    const { path, text, unless, maxBytes = MAX_FILE_BYTES, ...rest } = request;
    if ((path === undefined) === (text === undefined))
      throw new MortiseError("wrong_argument", { seen: "syntax.query, which takes a text or a path" });
    if (path === undefined) return { ...(await syntax.query({ ...rest, text: text ?? "" })), unchanged: false };

    const canonical = await toOpen(path, caller);
    if (unless !== undefined && unless === files.known(canonical)) return { ...nothing, hash: unless, unchanged: true };
    const { text: content, ...facts } = await files.read(canonical, maxBytes);
    if (facts.encoding === "binary") return { ...nothing, ...facts, unchanged: false };
    if (facts.hash === unless) return { ...nothing, ...facts, unchanged: true };
    // Some grammars take a last line without an end for an error.
    const ended = content === "" || content.endsWith("\n") ? content : `${content}\n`;
    return { ...(await syntax.query({ ...rest, text: ended, hash: facts.hash })), ...facts, unchanged: false };
  };
}

const nothing: QueryResult = { captures: '{"names":[],"types":[],"places":[],"texts":[]}', truncated: false, hasError: false, wrong: 0 };

import * as z from "zod/mini";
import { audiences } from "../sdk/contract.ts";
import type { Manifest } from "../sdk/wire.ts";
import { MAX_BYTES, MAX_LINES } from "./output/truncate.ts";
import { DEFAULT_TIMEOUT_MS } from "./tools.ts";

/** A tool as it is registered, with what is known of its plugin. */
export type DocumentedTool = Manifest["tools"][number] & {
  plugin: string;
  asks: Manifest["capabilities"];
  options: Manifest["options"];
  /** Written by hand: what its definition does not say. */
  about: string;
};

/** The pages of docs/tools, by file name: one for each tool, and the list of them. */
export function toolPages(tools: readonly DocumentedTool[]): Readonly<Record<string, string>> {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { "README.md": list(sorted), ...Object.fromEntries(sorted.map((tool) => [`${tool.name}.md`, page(tool)])) };
}

const MADE = "Made from the tools' definitions and `plugins/<tool>/about.md`: `UPDATE=1 npx vitest run test/docs.test.ts` writes it anew.";

function list(tools: readonly DocumentedTool[]): string {
  return text([
    "# Tools",
    `Each is a plugin with the same rights as yours; a copy of one, loaded from elsewhere, does the same. \`"disabled": ["bash"]\` in your config leaves one out, \`mortise tools\` lists those that are there. [Your own](../own-tool.md) is written the same way.`,
    table(
      ["tool", "kind", "does", "needs", "asked about"],
      tools.map((tool) => [
        `[${tool.name}](${tool.name}.md)`,
        tool.kind ?? "other",
        firstSentence(tool.description),
        needs(tool),
        tool.scopes === null ? "never" : "by its rules",
      ]),
    ),
    `Of a result a model sees at most ${MAX_LINES} lines and ${MAX_BYTES} bytes, head and tail; \`output\` in the [settings](../settings.md) says otherwise for one tool or for all. The whole is kept in a file that the result names and that the model may read.`,
    MADE,
  ]);
}

function page(tool: DocumentedTool): string {
  const fields = fieldsOf(Schema.parse(tool.inputSchema));
  return text([
    `# ${tool.name}`,
    tool.about.trim(),
    "## Input",
    fields.length === 0 ? "It takes none." : table(["field", "is", "says"], fields),
    ...(Object.keys(tool.aliases).length === 0
      ? []
      : [
          `Also taken: ${Object.entries(tool.aliases)
            .map(([alias, name]) => `${code(alias)} for ${code(name)}`)
            .join(", ")}.`,
        ]),
    "## Facts",
    table(["", ""], facts(tool)),
    "## What a model reads of it",
    quoted(tool.description),
    `[All tools](README.md). ${MADE}`,
  ]);
}

function facts(tool: DocumentedTool): string[][] {
  const options = Object.entries(tool.options);
  return [
    ["kind", tool.kind ?? "other"],
    ["its plugin asks for", needs(tool)],
    ["a layer on it costs", tool.capability === null ? "all five capabilities, or `steer`" : `${code(tool.capability)}, or \`steer\``],
    ["permission", tool.scopes === null ? "never asked about; a rule that denies the tool counts" : "decided for each call, by what it would do"],
    ["offered to", (tool.audiences ?? audiences).map(code).join(" ")],
    ["ends after", `${(tool.timeoutMs ?? DEFAULT_TIMEOUT_MS) / 1_000} s at most`],
    ...(tool.writes === null ? [] : [["writes", `the file of ${code(tool.writes)}: calls on one file wait for each other, stale reads are refused`]]),
    ...(tool.needsPerson === true ? [["needs", "a person: without one it is not there"]] : []),
    ...(tool.polls === true ? [["may be called", "again and again with the same input"]] : []),
    ...(tool.needsAgent === true ? [["needs", "an agent that drives the host: without one it is not there"]] : []),
    ...(options.length === 0 ? [] : [["options", options.map(([name, value]) => code(`${name}: ${JSON.stringify(value)}`)).join(" ")]]),
  ];
}

function needs({ asks }: DocumentedTool): string {
  const asked = Object.entries(asks).map(([name, scopes]) => code(Array.isArray(scopes) ? `${name}: ${scopes.join(", ")}` : name));
  return asked.length === 0 ? "nothing" : asked.join(" ");
}

/** What is read of a JSON Schema. */
const Schema = z.object({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  description: z.optional(z.string()),
  enum: z.optional(z.array(z.unknown())),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  required: z.optional(z.array(z.string())),
  get properties() {
    return z.optional(z.record(z.string(), Schema));
  },
  get items() {
    return z.optional(Schema);
  },
});
type Schema = z.infer<typeof Schema>;

/** Rows of name, type and description; fields of fields stand below theirs. */
function fieldsOf(schema: Schema, prefix = ""): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = field.items === undefined ? fieldsOf(field, `${path}.`) : fieldsOf(field.items, `${path}[].`);
    const isNeeded = schema.required?.includes(name) === true;
    return [[code(path), `${typeOf(field)}${isNeeded ? "" : ", optional"}`, field.description ?? ""], ...inner];
  });
}

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(" or ");
  const type = [schema.type ?? "any"].flat().join(" or ");
  if (type === "array") return `list of ${typeOf(schema.items ?? {})}${schema.maxItems === undefined ? "" : `, ${schema.maxItems} at most`}`;
  if (type === "string" && schema.maxLength !== undefined) return `string, ${schema.maxLength} characters at most`;
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined) return `${type}, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${type}, ${minimum} or more`;
  return maximum === undefined ? type : `${type}, ${maximum} at most`;
}

function firstSentence(description: string): string {
  const [line = ""] = description.split("\n");
  return /^.+?[.](?=\s|$)/.exec(line)?.[0] ?? line;
}

function quoted(description: string): string {
  return description
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

function text(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}

function code(name: string): string {
  return `\`${name}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

import * as z from "zod/mini";
import { audiences, autocmds, capabilities, freeMethods, pluginSlot, reservedPrefixes, type SlotSpec, slices, slots } from "../sdk/contract.ts";
import { codes } from "../sdk/errors.ts";

/** The text of docs/reference.md, made from the contract's tables. */
export function referencePage(): string {
  return `${[
    "# Reference",
    "Made from `sdk/contract.ts` and `sdk/errors.ts`: `UPDATE=1 npx vitest run test/docs.test.ts` writes it anew. [Slots](slots.md), [capabilities](capabilities.md) and [failure](failure.md) explain what stands here.",
    "## Slots",
    `A layer gets the *value* and *ctx*, and answers the *answer* or one of the verdicts. Times are in milliseconds: the *window* is wall time for the whole chain, the *slice* processor time of one turn, the *budget* that of one layer over the whole call. Names under ${reservedPrefixes.map((prefix) => `\`${prefix}\``).join(", ")} belong to the host.`,
    ...Object.entries(slots).map(([name, spec]) => slot(name, spec)),
    slot("A plugin's own slot", pluginSlot),
    "## Autocmds",
    "Fields marked with * are content: only a plugin that could layer the slot in the last column gets them.",
    table(["event", "fires", "data", "content costs"], Object.entries(autocmds).map(autocmd)),
    "## Capabilities",
    "`true` in a definition asks for all of one, a list for the scopes that it names.",
    table(
      ["capability", "allows", "a scope is a", "methods"],
      Object.entries(capabilities).map(([name, spec]) => [
        code(name),
        spec.doc,
        spec.scope,
        spec.methods.map((method) => code(`api.${method}`)).join(" "),
      ]),
    ),
    `Methods that cost nothing: ${freeMethods.filter(isPublic).map(method).join(" ")}.`,
    "## Tools",
    `Audiences: ${audiences.map(code).join(" ")}. Processor time of one turn outside slots, in milliseconds: ${Object.entries(slices)
      .map(([kind, ms]) => `${kind} ${ms}`)
      .join(", ")}.`,
    "## Error codes",
    "`MortiseError` carries a `code`. Its message is the sentence, what was seen, and what to do.",
    table(
      ["code", "says", "what to do"],
      Object.entries(codes).map(([name, [says, advice]]) => [code(name), says, advice]),
    ),
  ].join("\n\n")}\n`;
}

function slot(name: string, spec: SlotSpec): string {
  const rows = [
    ["value", code(typeText(spec.value))],
    ["ctx", code(typeText(spec.ctx))],
    ["answer", code(typeText(spec.answer))],
    ["verdicts", spec.verdicts.length === 0 ? "none" : spec.verdicts.map(code).join(" ")],
    ["judges", spec.judged ? "yes" : "no"],
    ["price", prices[spec.price]],
    ["window, slice, budget", `${spec.windowMs}, ${spec.sliceMs}, ${spec.budgetMs}`],
  ];
  if (spec.passing === "fixed") rows.push(["`prev(value)`", "the value is ignored: a person sees the real one"]);
  return `### ${/^[a-z.*_]+$/.test(name) ? code(name) : name}\n\n${spec.doc}\n\n${table(["", ""], rows)}`;
}

const prices: Record<SlotSpec["price"], string> = {
  tool: "the capability that the tool declares, all five where it declares none; or `steer`",
  all: "all five capabilities, or `steer`",
  free: "nothing",
  declared: "what its owner says, all five where it says nothing",
};

function autocmd([name, spec]: [string, (typeof autocmds)[keyof typeof autocmds]]): string[] {
  const content = Object.entries(spec.content);
  const data = typeText(spec.data, (field) => content.some(([key]) => key === field));
  return [code(name), spec.doc, code(data), content.length === 0 ? "-" : content.map(([, of]) => code(of)).join(" ")];
}

/** Methods under these names are how `declareSlot`, `createAutocmd`, a tool's `write` and what `api.agent.session` gives reach the host. */
function isPublic(name: string): boolean {
  return !/^((slots|autocmds|output)\.|agent\.(prompt|start|close)$)/.test(name);
}

function method(name: string): string {
  return code(`api.${name}`);
}

/** What is read of a JSON Schema. */
const Schema = z.object({
  type: z.optional(z.string()),
  enum: z.optional(z.array(z.unknown())),
  required: z.optional(z.array(z.string())),
  get properties() {
    return z.optional(z.record(z.string(), Schema));
  },
  get items() {
    return z.optional(Schema);
  },
});
type Schema = z.infer<typeof Schema>;

function typeText(schema: z.core.$ZodType, marked: (field: string) => boolean = () => false): string {
  return shapeText(Schema.parse(z.toJSONSchema(schema, { unrepresentable: "any" })), marked);
}

function shapeText(schema: Schema, marked: (field: string) => boolean): string {
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.type === "array") return `${shapeText(schema.items ?? {}, marked)}[]`;
  if (schema.type !== "object") return schema.type ?? "json";
  if (schema.properties === undefined) return "{ [field]: json }";
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => `${name}${marked(name) ? "*" : ""}${required.includes(name) ? "" : "?"}: ${shapeText(field, marked)}`,
  );
  return `{ ${fields.join(", ")} }`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

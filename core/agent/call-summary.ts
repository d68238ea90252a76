import * as z from "zod/mini";

const MAX_CHARS = 120;
const Input = z.record(z.string(), z.unknown());
/** What says most about a call, where it is there. */
const telling = ["command", "path", "pattern", "url", "query", "name", "description", "prompt", "text", "code"];

/** A call in one line. */
export function callSummary(tool: string, input: unknown): string {
  const fields = Input.safeParse(input).data ?? {};
  const said = telling.map((field) => fields[field]).find((value) => typeof value === "string" && value.trim() !== "");
  const text = typeof said === "string" ? said : Object.keys(fields).length === 0 ? "" : JSON.stringify(fields);
  const line = `${tool} ${text.replace(/\s+/g, " ").trim()}`.trim();
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 3)}...`;
}

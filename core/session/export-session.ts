import type { Image } from "../../sdk/api.ts";
import type { AssistantPart, Message } from "../agent/message.ts";
import { imageFacts } from "../images.ts";
import { visible } from "../visible.ts";
import { costOf, type SessionState } from "./session-state.ts";
import type { StoredSession } from "./sessions.ts";

/** A session as JSON, with facts in the place of images, and without what only a provider reads. */
export function jsonOfSession({ state, ended, broken, dropped }: StoredSession) {
  const { header, title, model, context, rules, permissions, queued, usage, updated } = state;
  const { id, backend, cwd, created, forkedFrom = null } = header;
  return {
    id,
    title,
    model,
    backend,
    cwd,
    created,
    updated,
    ended,
    error: state.ended?.error ?? null,
    forkedFrom,
    context,
    costUsd: costOf(usage),
    usage: Object.fromEntries([...usage].map(([of, used]) => [of, { ...used.usage, costUsd: used.costUsd }])),
    rules,
    permissions: permissions.map(({ t: _, ...decision }) => decision),
    queued,
    messages: state.messages.map(plainMessage),
    /** Lines and results of the log that were passed over. */
    broken,
    dropped,
  };
}

/** A session as Markdown. @param lines How many lines of a result are shown; all of them unless said. */
export function markdownOfSession({ state, ended, broken }: StoredSession, lines: number = Number.POSITIVE_INFINITY): string {
  const { header, title, model, usage, updated } = state;
  const cost = costOf(usage);
  const facts = [
    `session: ${header.id}${header.forkedFrom === undefined ? "" : `, a copy of ${header.forkedFrom}`}`,
    `model: ${model}`,
    `folder: ${header.cwd}`,
    `begun ${header.created}, last written to ${updated}, ended: ${ended}`,
    ...(cost === null ? [] : [`cost: ${cost.toFixed(4)} USD`]),
    ...(broken === 0 ? [] : [`${broken} lines of its log could not be read`]),
  ];
  const parts = [`# ${inLine(title)}`, facts.map((fact) => `- ${inLine(fact)}`).join("\n")];
  for (const message of state.messages) parts.push(...markdownOf(message, lines));
  if (state.permissions.length > 0) parts.push("## Permissions", state.permissions.map(decisionLine).join("\n"));
  return `${parts.join("\n\n")}\n`;
}

function decisionLine({ decision, tool, scopes, source }: SessionState["permissions"][number]): string {
  return `- ${decision === "allow" ? "allowed" : "denied"} ${inLine(tool)} (${inLine(source)}): ${inLine(scopes.join("; "))}`;
}

function plainMessage(message: Message) {
  switch (message.role) {
    case "assistant":
      return { ...message, parts: message.parts.map(({ provider: _, ...part }) => part) };
    case "tool":
      return { ...message, results: message.results.map(withFacts) };
    case "user":
      return withFacts(message);
  }
}

function withFacts<Shown extends { images?: readonly Image[] }>({ images, ...rest }: Shown) {
  return images === undefined ? rest : { ...rest, images: imageFacts(images) };
}

function markdownOf(message: Message, lines: number): string[] {
  switch (message.role) {
    case "user": {
      const by = message.note ?? (message.rewrittenBy === undefined ? undefined : `rewritten by ${message.rewrittenBy}`);
      return [by === undefined ? "## User" : `## User (${inLine(by)})`, shown(message.text), ...imageLines(message.images)];
    }
    case "assistant":
      return ["## Assistant", ...message.parts.flatMap(partLines)];
    case "tool":
      return message.results.flatMap(({ tool, text, isError, images }) => [
        `### ${isError ? "Error" : "Result"} of ${inLine(tool)}`,
        fenced(firstLines(shown(text), lines), ""),
        ...imageLines(images),
      ]);
  }
}

function partLines(part: AssistantPart): string[] {
  switch (part.type) {
    case "text":
      return [shown(part.text)];
    case "thinking":
      return [
        shown(part.text)
          .split("\n")
          .map((line) => `> ${line}`)
          .join("\n"),
      ];
    case "call":
      return [`### Call of ${inLine(part.tool)}`, fenced(shown(JSON.stringify(part.input, null, 2) ?? "null"), "json")];
  }
}

function imageLines(images: readonly Image[] | undefined): string[] {
  return imageFacts(images ?? []).map(({ mediaType, bytes }) => `[image: ${inLine(mediaType)}, ${bytes} bytes]`);
}

/** With more backticks than the text has in a row. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function firstLines(text: string, limit: number): string {
  const all = text.split("\n");
  return all.length <= limit ? text : `${all.slice(0, limit).join("\n")}\n[${all.length - limit} more lines]`;
}

/** What would steer a terminal is shown as an escape. Tabs stay, since code has them. */
function shown(text: string): string {
  return text.replaceAll("\r\n", "\n").split("\t").map(visible).join("\t");
}

function inLine(text: string): string {
  return visible(text).replaceAll("\n", " ");
}

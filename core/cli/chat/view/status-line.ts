import { basename } from "node:path";
import { visibleWidth } from "@earendil-works/pi-tui";
import { type ChatState, costSoFar } from "../state/chat-state.ts";
import type { Look } from "./look.ts";
import { screenLine } from "./screen-text.ts";
import { ticking } from "./tool-lines.ts";
import { fitted, wrapped } from "./wrapped.ts";

export type About = { cwd: string; home: string; sessionId: string; yolo: boolean };

/** The line under the prompt: as much as has room, what matters most first. */
export function statusLine(state: ChatState, { cwd, home, sessionId, yolo }: About, { paint, width }: Look): string {
  const { tokens, window } = state.context;
  const cost = costSoFar(state);
  const folder = cwd === home ? "~" : cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
  const parts = [
    ...(yolo ? ["yolo: runs without asking"] : []),
    ...tasksPart(state.tasks),
    screenLine(state.model),
    ...(window > 0 ? [`context ${Math.min(999, Math.round((tokens / window) * 100))}%`] : []),
    ...(cost === null || cost === 0 ? [] : [`$${cost < 1 ? cost.toFixed(3) : cost.toFixed(2)}`]),
  ];
  const line = () => parts.join(" · ");
  const fits = (more: string) => visibleWidth(`${line()} · ${more}`) <= width;
  const place = [folder, basename(cwd)].map(screenLine).find(fits);
  if (place !== undefined) parts.push(place);
  const session = [`session ${sessionId}`].find(fits);
  if (session !== undefined) parts.push(session);
  const [first = "", ...rest] = parts;
  const shown = yolo ? [paint(["yellow", "bold"], first), ...rest.map((part) => paint("dim", part))] : parts.map((part) => paint("dim", part));
  return fitted(shown.join(paint("dim", " · ")), width);
}

/** Many names would leave no room for the rest. */
function tasksPart(tasks: ChatState["tasks"]): string[] {
  const [only = ""] = tasks;
  if (tasks.length === 0) return [];
  return [tasks.length === 1 ? `in the background: ${screenLine(only)}` : `${tasks.length} tasks in the background`];
}

/** The lines above the prompt while something goes on: what, for how long, and which key stops it; then what waits to be said. */
export function workingLines(state: ChatState, { paint, width, now }: Look): string[] {
  const { working, queued, commands } = state;
  const waits = queued.map(({ text }) => paint("dim", fitted(`  to be sent: ${screenLine(text)}`, width)));
  const runs = commands
    .filter(({ since }) => now - since >= QUICK_MS)
    .map(({ text, since }) => {
      const rest = [ticking(now - since), "Esc stops it"].filter((part) => part !== "").map((part) => ` · ${part}`);
      return paint("cyan", `${fitted(screenLine(text), Math.max(8, width - visibleWidth(rest.join(""))))}${rest.join("")}`);
    });
  if (working === null) return runs.length === 0 ? waits : ["", ...runs, ...waits];
  const doing = working.retry === null ? whats[working.what] : retryText(working.retry, now);
  const parts = [doing, ticking(now - working.since), "Esc stops it"].filter((part) => part !== "");
  return ["", ...wrapped(paint("cyan", parts.join(" · ")), width), ...runs, ...waits];
}

/** A command that is over sooner is not told of, in milliseconds. */
const QUICK_MS = 500;

const whats = {
  waiting: "waiting for the model",
  thinking: "thinking",
  answering: "answering",
  calling: "working",
  compacting: "summarising the conversation",
};

function retryText({ attempt, at }: { attempt: number; at: number }, now: number): string {
  const left = Math.max(0, Math.ceil((at - now) / 1_000));
  return left === 0 ? `trying again (attempt ${attempt + 1})` : `trying again in ${left} s (attempt ${attempt + 1})`;
}

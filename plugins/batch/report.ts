import type { Image, NestedResult } from "mortise/sdk";
import { cutText, MARK_BYTES, type Size, sizeOf } from "./cut.ts";
import { shares } from "./share.ts";

/** A call that ended, or that had not when the batch was cancelled. */
export type Ended = { tool: string; result: NestedResult | undefined };

/** Sections of calls that were too many are given for so many of them. */
const NAMED_BEYOND = 25;
const NAME_CHARS = 80;
const IMAGES = 20;
const IMAGES_CHARS = 8 * 1024 * 1024;

/** One section for each call, in order, then how many succeeded. `keep` gives the file that a text is kept whole in. */
export async function report(
  ended: readonly Ended[],
  beyond: readonly string[],
  shown: Size | undefined,
  keep: (result: NestedResult) => Promise<string | undefined>,
): Promise<string> {
  const total = ended.length + beyond.length;
  const bodies = ended.map(({ result }) => bodyOf(result));
  const failed = ended.filter(({ result }) => result === undefined || result.isError).length + beyond.length;
  const heads = [...ended.map(({ tool }) => tool), ...beyond.slice(0, NAMED_BEYOND)].map((tool) => `## ${label(tool)}`);
  const late = beyond.length - NAMED_BEYOND;
  const tooMany = `[ERROR] not run: a batch takes ${ended.length} calls at most. Send this one in another batch.`;
  const all = total === 1 ? "The call" : `All ${counted(total)}`;
  const last = failed === 0 ? `${all} succeeded.` : `${total - failed} of ${counted(total)} succeeded, ${failed} failed.`;

  const fixed = [...heads, ...beyond.slice(0, NAMED_BEYOND).map(() => `${tooMany}\n`), last].join("\n\n");
  const most = shown === undefined ? undefined : bodyLimits(bodies, fixed, shown);
  const sections = await Promise.all(
    heads.map(async (head, index) => {
      const body = bodies[index];
      if (body === undefined) return `${head}\n${tooMany}`;
      const [limit, result] = [most?.[index], ended[index]?.result];
      if (limit === undefined || result === undefined || limit === "whole") return `${head}\n${body}`;
      const file = await keep(result);
      return `${head}\n${cutText(body, limit, file === undefined ? "" : `; the whole text is in ${file}`)}`;
    }),
  );
  return [...sections, ...(late > 0 ? [`[ERROR] ${late} more calls were not run.`] : []), last].join("\n\n");
}

/** The share of each where all are as large. */
export function sameShare(shown: Size, count: number): Size {
  return { lines: Math.max(Math.floor(shown.lines / count) - 4, 1), bytes: Math.max(Math.floor(shown.bytes / count) - MARK_BYTES, 1) };
}

/** As many images as one result may hold. */
export function imagesOf(ended: readonly Ended[]): Image[] {
  let chars = 0;
  return ended
    .flatMap(({ result }) => result?.images ?? [])
    .filter((image) => {
      chars += image.base64.length;
      return chars <= IMAGES_CHARS;
    })
    .slice(0, IMAGES);
}

function bodyOf(result: NestedResult | undefined): string {
  if (result === undefined) return "[ERROR] cancelled";
  const text = result.text.replace(/\n+$/, "");
  if (result.code === "cancelled") return result.text.startsWith("The call was cancelled") ? "[ERROR] cancelled" : `[ERROR] cancelled\n${text}`;
  if (result.isError) return `[ERROR] ${text}`;
  return text === "" ? "(no output)" : text;
}

function bodyLimits(bodies: readonly string[], fixed: string, shown: Size): (Size | "whole")[] {
  const sizes = bodies.map(sizeOf);
  const own = sizeOf(fixed);
  const lines = shares(
    sizes.map((size) => size.lines),
    shown.lines - own.lines - bodies.length,
  );
  const bytes = shares(
    sizes.map((size) => size.bytes),
    shown.bytes - own.bytes - bodies.length,
  );
  return sizes.map((size, index) => {
    const most = { lines: lines[index] ?? 1, bytes: bytes[index] ?? 1 };
    return size.lines <= most.lines && size.bytes <= most.bytes ? "whole" : most;
  });
}

/** A name is whatever the model wrote. */
function label(tool: string): string {
  const line = tool.replace(/\s+/g, " ");
  return line.length <= NAME_CHARS ? line : `${line.slice(0, NAME_CHARS)}...`;
}

function counted(calls: number): string {
  return calls === 1 ? "1 call" : `${calls} calls`;
}

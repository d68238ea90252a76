import { plainError } from "../errors/plain-error.ts";
import { createDoneLine, endedAfter } from "./ended-after.ts";

/** Bytes of a response once it is unpacked, between two line ends of it, and of one that is a refusal, which is cut there. */
export type ResponseLimits = { all: number; line: number; refusal: number };

const MiB = 1024 * 1024;
const limits: ResponseLimits = { all: 256 * MiB, line: 32 * MiB, refusal: MiB };
const LINE_END = 0x0a;

/** Follows no redirect, which would take keys in headers along to wherever it leads, and reads no more of a response than an answer may have. */
export const boundedFetch: typeof fetch = async (input, init) => bounded(await fetch(input, { ...init, redirect: "manual" }));

/** What is more than the limits ends the body with an error that is not tried again. */
export function bounded(response: Response, { all, line, refusal }: ResponseLimits = limits): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  let [bytes, lineBytes] = [0, 0];
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const room = refusal - bytes;
      bytes += chunk.length;
      if (!response.ok) {
        controller.enqueue(chunk.length > room ? chunk.subarray(0, room) : chunk);
        if (bytes >= refusal) controller.terminate();
        return;
      }
      const end = chunk.lastIndexOf(LINE_END);
      lineBytes = end === -1 ? lineBytes + chunk.length : chunk.length - end - 1;
      if (bytes > all || lineBytes > line) controller.error(plainError("Error", tooLong(bytes > all ? all : line), { code: "ERR_ANSWER_TOO_LONG" }));
      else controller.enqueue(chunk);
    },
  });
  const isEvents = response.ok && headers.get("content-type")?.includes("text/event-stream") === true;
  const read = body.pipeThrough(counted);
  return new Response(isEvents ? endedAfter(read, createDoneLine()) : read, { status, statusText, headers });
}

function tooLong(limit: number): string {
  return `the response has more than ${limit} bytes`;
}

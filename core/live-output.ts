import type { ActiveCall } from "./active-call.ts";
import type { Core } from "./core.ts";
import type { CallRequest } from "./host-types.ts";
import { plainStream } from "./output/plain.ts";
import { redact } from "./redact/redact.ts";
import { type RedactedStream, redactStream } from "./redact/stream.ts";

/** What a tool shows while it runs: without terminal sequences, redacted, then to whoever asked for it. */
export function liveOutput(
  core: Pick<Core, "layers" | "contexts" | "isolates">,
  request: CallRequest,
): { write(text: string): void; attach(call: ActiveCall): void; end(): Promise<void> } {
  const show = request.onOutput;
  let stream: RedactedStream | undefined;
  let leave = () => {};
  const plain = plainStream((text) => stream?.write(text));
  return {
    write(text) {
      if (show !== undefined) plain.write(text);
    },
    attach(call) {
      if (show === undefined) return;
      const redactors = core.layers().redactors(call.tool);
      const overlap = redactors.length === 0 ? null : Math.max(...redactors.map((redactor) => redactor.overlap));
      const context = core.contexts.enter({ kind: "redactor", call, depth: call.depth });
      leave = context.leave;
      stream = redactStream(
        overlap,
        // Those who stand now: their plugins may have been loaded anew since.
        (texts) => redact(core.isolates, core.layers().redactors(call.tool), texts, context.key),
        (text) => text !== "" && shown(show, text),
      );
    },
    async end() {
      plain.end();
      await stream?.end();
      stream = undefined;
      leave();
    },
  };
}

/** Whoever is shown the text may fail later, too, which is theirs alone. */
function shown(show: (text: string) => unknown, text: string): void {
  const shown = show(text);
  if (shown instanceof Promise) shown.catch(() => {});
}

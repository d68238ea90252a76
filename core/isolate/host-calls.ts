import { MortiseError } from "../../sdk/errors.ts";
import type { Packed } from "../../sdk/wire.ts";
import type { HostCall } from "./isolates.ts";
import { isTooLarge, toPacked, toValue } from "./packed-values.ts";
import { thrownBy } from "./places.ts";
import type { RunnerMessage } from "./protocol/messages.ts";
import { readValue, writeValue } from "./protocol/values.ts";
import type { Runner } from "./runner.ts";

/** Hands a request of plugin code to the host and its answer back. A runner speaks only for plugins that were sent to it. */
export function answerHostCall(
  runner: Runner,
  message: Extract<RunnerMessage, { t: "call" }>,
  parts: readonly string[],
  onHostCall: (call: HostCall) => Promise<Packed>,
): void {
  const { request, plugin, of, method } = message;
  const flight = runner.flight(of);
  const args = toPacked(readValue(message.args, parts, flight?.known ?? []));
  void answer().then(
    (packed) => {
      if (request === 0) return;
      const sent: string[] = [];
      const value = writeValue(toValue(packed), sent);
      runner.send({ t: "answer", request, value }, sent);
    },
    (error: unknown) => {
      const { code, message: text } = thrownBy(error, "");
      if (request !== 0) runner.send({ t: "refuse", request, code, message: text });
    },
  );

  async function answer(): Promise<Packed> {
    if (runner.describes(plugin)) throw new MortiseError("describing");
    const version = runner.plugins.get(plugin);
    if (version === undefined && flight?.onCall === undefined) throw new MortiseError("unknown_plugin");
    const answer =
      version === undefined
        ? await flight!.onCall!(method, args)
        : await onHostCall({ plugin: version.plugin.name, callKey: flight?.callKey ?? null, method, args });
    if (isTooLarge(answer)) throw new MortiseError("payload_too_large");
    return answer;
  }
}

import type { Backend } from "../../../agent/backend.ts";
import type { Payload } from "../lines.ts";
import type { Asks } from "./asks.ts";
import type { ControlRequest } from "./inbound.ts";
import { modeOf, modes } from "./modes.ts";

export type Controls = {
  asks: Pick<Asks, "setMode">;
  /** Resolves once no run works any more. */
  interrupt(): Promise<void>;
  backend: Pick<Backend, "setModel">;
  /** The one that the session was started with. */
  model: string;
  warn(text: string): void;
  send(payload: Payload): Promise<void>;
};

/** Does what the other side asks for, and answers once it is done. Never throws. */
export async function answerControl({ requestId, request }: { requestId: string; request: ControlRequest }, controls: Controls): Promise<void> {
  const body = { request_id: requestId };
  try {
    const response = await obey(request, controls);
    await controls.send({ type: "control_response", response: { subtype: "success", ...body, ...(response === undefined ? {} : { response }) } });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await controls.send({ type: "control_response", response: { subtype: "error", ...body, error: message } });
  }
}

async function obey(request: ControlRequest, { asks, interrupt, backend, model, warn }: Controls): Promise<object | undefined> {
  switch (request.subtype) {
    case "initialize":
      if (request.hasMore) warn("Hooks and agents of an initialize request are ignored.");
      return { commands: [] };
    case "interrupt":
      await interrupt();
      return undefined;
    case "set_permission_mode": {
      const mode = modeOf(request.mode);
      if (mode === undefined) throw new Error(`There is no mode ${JSON.stringify(request.mode)} here, but ${modes.join(", ")}.`);
      asks.setMode(mode);
      return { mode };
    }
    case "set_model": {
      const wanted = request.model ?? model;
      if (typeof wanted !== "string") throw new Error("A model is named by a string, and null is the one that was started with.");
      await backend.setModel(wanted);
      return { model: wanted };
    }
    case "unsupported":
      throw new Error(`unsupported: ${request.name}`);
  }
}

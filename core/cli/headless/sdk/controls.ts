import type { Backend } from "../../../agent/backend.ts";
import type { Instructions } from "../instructions.ts";
import type { Payload } from "../lines.ts";
import type { Asks } from "./asks.ts";
import type { ControlRequest, Initialize } from "./inbound.ts";
import { modeOf, modes } from "./modes.ts";

export type Controls = {
  asks: Pick<Asks, "setMode">;
  /** Resolves once no run works any more, with the ids of messages that wait, and of those that do not any more. */
  interrupt(options: { cancelsQueued: boolean }): Promise<{ queued: readonly string[]; cancelled: readonly string[] }>;
  backend: Pick<Backend, "setModel">;
  /** The one that the session was started with. */
  model: string;
  /** What the model is told; an initialize request may change it. */
  instructions: Instructions;
  warn(text: string): void;
  /** No message may run any more, whether or not the other side heeds the answer. */
  refuse(why: string): void;
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

async function obey(request: ControlRequest, controls: Controls): Promise<object | undefined> {
  const { asks, interrupt, backend, model } = controls;
  switch (request.subtype) {
    case "initialize":
      return initialized(request.asks, controls);
    case "interrupt": {
      const { queued, cancelled } = await interrupt(request);
      return { still_queued: queued, ...(request.cancelsQueued ? { cancelled } : {}) };
    }
    case "mcp_status":
      return { mcpServers: [] };
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

/** Hooks whose answer may stop a call or a message: one that is not called back would let through what it is there to stop. */
const guards: readonly string[] = ["*", "PreToolUse", "PermissionRequest", "UserPromptSubmit"];

function initialized({ hooks, system, append, others }: Initialize, { instructions, model, warn, refuse }: Controls): object {
  const guarding = hooks.filter((event) => guards.includes(event));
  if (guarding.length > 0) {
    const why = `Hooks are not called back here (${guarding.join(", ")}), and without them everything would be let through. Decide in canUseTool, by rules, or in a plugin.`;
    refuse(why);
    throw new Error(why);
  }
  if (hooks.length > 0) warn(`Hooks are not called back here: ${hooks.join(", ")}.`);
  if (others.length > 0) warn(`These fields of an initialize request are ignored: ${others.join(", ")}.`);
  instructions.system = system ?? instructions.system;
  instructions.append = append ?? instructions.append;
  return {
    commands: [],
    agents: [],
    output_style: "default",
    available_output_styles: ["default"],
    models: [{ value: model, displayName: model, description: "" }],
    account: {},
    ...(hooks.length > 0 ? { hooks_applied: false } : {}),
    ...(others.includes("mcpServers") ? { mcp_servers_applied: false } : {}),
    ...(others.includes("plugins") ? { plugins_applied: false } : {}),
  };
}

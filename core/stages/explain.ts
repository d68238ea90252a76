import { startCall } from "../active-call.ts";
import type { Core } from "../core.ts";
import type { CallToExplain } from "../host-types.ts";
import { checkInput } from "../input.ts";
import { type Explanation, explain } from "../permission/explain.ts";
import type { Policy } from "../permission/permissions.ts";
import { findTool } from "../tools.ts";
import { scopesStage } from "./permit.ts";

/** What rules make of a call. Layers, judges and the tool itself do not run. Throws `unknown_tool`, `invalid_input`. */
export async function explainCall(core: Core, policy: Policy, project: string, request: CallToExplain): Promise<Explanation> {
  const tool = findTool(core.tools(), request.tool, "main");
  const input = checkInput(tool, request.input);
  const call = startCall({ ...request, tool: tool.name }, tool, core, () => {});
  try {
    const list = await scopesStage(core, call, input);
    return await explain({
      tool: tool.name,
      input,
      cwd: call.cwd,
      list,
      rules: [...core.permissions.sessionRules(call.sessionId), ...policy.rules],
      yolo: call.yolo ?? policy.yolo,
      yoloUnparseable: policy.yoloUnparseable,
      defaultEffect: policy.defaultEffect(tool.name),
      project,
      tools: core.tools().map(({ name }) => name),
      scopesOfText: (command) =>
        core.permissions.scopesOf({ tool: tool.name, input: { command }, declared: { scopes: [{ kind: "shell", command }] }, cwd: call.cwd }),
    });
  } finally {
    call.deadline.dispose();
    await core.capabilities.endCall(call.toolId);
  }
}

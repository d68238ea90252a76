import type { UrlVerdict } from "../capabilities/capabilities.ts";
import type { Permissions } from "./permissions.ts";

/** What the rules for a tool say of a URL that it is about to fetch, where its call was judged by another. Asks nobody. */
export async function judgeUrl(
  { evaluate }: Pick<Permissions, "evaluate">,
  url: string,
  { tool, sessionId, yolo }: { tool: string; sessionId: string; yolo?: boolean },
): Promise<UrlVerdict> {
  const list = { scopes: [{ kind: "url" as const, text: url }], forcePrompt: false, unparseable: false };
  const verdict = await evaluate({ tool, sessionId, list, ...(yolo === undefined ? {} : { yolo }) });
  if (verdict.kind === "allow") return "allow";
  if (verdict.kind === "deny") return verdict.source === "rule" ? "deny" : "ask";
  return verdict.scopes.some(({ effect }) => effect === "ask") ? "ask" : "uncovered";
}

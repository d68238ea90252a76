import type { ModelServer, SeenRequest, ServerStep } from "../../../fake-servers/model-server.ts";
import { startOpenAiServer } from "../../../fake-servers/openai.ts";

/** A model that does what the person's last message says: JSON of one step, or of a step for each request that follows; else it repeats it. */
export function startToldServer(): Promise<ModelServer> {
  return startOpenAiServer(told);
}

function told({ body }: SeenRequest): ServerStep {
  const messages = (Array.isArray(body.messages) ? body.messages : []) as { role: string; content: unknown }[];
  const at = messages.findLastIndex(({ role }) => role === "user");
  const text = textOf(messages[at]?.content);
  const steps = stepsIn(text);
  const answered = messages.slice(at).filter(({ role }) => role === "assistant").length;
  return steps[Math.min(answered, steps.length - 1)] ?? { kind: "text", text: `You said: ${text}` };
}

function stepsIn(text: string): ServerStep[] {
  try {
    const parsed = JSON.parse(text);
    const steps: ServerStep[] = Array.isArray(parsed) ? parsed : [parsed];
    return steps.length === 1 && steps[0]?.kind === "calls" ? [...steps, { kind: "text", text: "All is done." }] : steps;
  } catch {
    return [];
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? "").join("\n") : "";
}

import { describe, expect, it } from "vitest";
import { startCall } from "../../core/active-call.ts";
import { createContexts } from "../../core/contexts.ts";
import { liveOutput } from "../../core/live-output.ts";
import { createLayers } from "../../core/slots/layers.ts";
import { listTools } from "../../core/tools.ts";
import { isolatesWith } from "../support/isolates-with.ts";

const [tool] = listTools([], [{ name: "t", description: "d", inputSchema: { type: "object" }, scopes: "none", run: () => "" }]);

function stage(onOutput: (text: string) => void) {
  const kept = new Set<string>();
  const contexts = createContexts();
  const layers = createLayers([], {}, () => false);
  const request = { tool: "t", input: {}, onOutput };
  const live = liveOutput(
    {
      isolates: isolatesWith({}),
      layers: () => layers,
      contexts: {
        get: contexts.get,
        enter(context) {
          const { key, leave } = contexts.enter(context);
          kept.add(key);
          return {
            key,
            leave() {
              kept.delete(key);
              leave();
            },
          };
        },
      },
    },
    request,
  );
  live.attach(startCall(request, tool!, { sessionId: "s", cwd: "/" }, live.write));
  return { live, kept };
}

describe("liveOutput()", () => {
  it("shows nothing after its end, and keeps nothing of the call", async () => {
    const shown: string[] = [];
    const { live, kept } = stage((text) => shown.push(text));
    live.write("before\n");
    expect(kept.size).toBe(1);
    await live.end();
    live.write("after\n");
    expect(shown).toEqual(["before\n"]);
    expect(kept.size).toBe(0);
  });

  it("is not stopped by whoever is shown the text, at once or later", async () => {
    let count = 0;
    for (const fails of [
      () => {
        count++;
        throw new TypeError("no");
      },
      async () => {
        count++;
        throw new TypeError("no");
      },
    ]) {
      const { live } = stage(fails);
      live.write("one\n");
      live.write("two\n");
      await live.end();
    }
    expect(count).toBe(4);
  });
});

import { describe, expect, it } from "vitest";
import { startCall } from "../../core/active-call.ts";
import { createCalls } from "../../core/calls.ts";
import { listTools } from "../../core/tools.ts";

const [tool] = listTools([], [{ name: "t", description: "d", inputSchema: { type: "object" }, scopes: "none", run: () => "" }]);
const begun = () => startCall({ tool: "t", input: {} }, tool!, { sessionId: "s", cwd: "/" }, () => {});

describe("createCalls()", () => {
  it("cancels the calls there are, and waits for their ends", async () => {
    const calls = createCalls();
    const call = begun();
    const over = calls.begin(call);
    let ended = false;
    const end = calls.end(60_000).then(() => {
      ended = true;
    });
    expect(call.deadline.signal.reason).toMatchObject({ code: "cancelled" });
    await Promise.resolve();
    expect(ended).toBe(false);
    over();
    await end;
  });

  it("waits no longer than its grace, and not at all where nothing runs", async () => {
    const calls = createCalls();
    await calls.end(60_000);
    calls.begin(begun());
    await calls.end(1);
  });

  it("lets calls begin after an end, and cancels those that begin after it closed", async () => {
    const calls = createCalls();
    await calls.end(1);
    const before = begun();
    calls.begin(before)();
    expect(before.deadline.signal.aborted).toBe(false);
    await calls.close(1);
    const after = begun();
    calls.begin(after);
    expect(after.deadline.signal.reason).toMatchObject({ code: "cancelled" });
  });
});

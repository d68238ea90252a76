import { describe, expect, it } from "vitest";
import type { Run } from "../../../core/agent/backend.ts";
import { notify } from "../../../core/agent/mailbox.ts";
import type { NativeTool } from "../../../core/host-types.ts";
import { codes } from "../../../sdk/errors.ts";
import { agentWith, doneOf, echo, eventsOf, ofType, said } from "./agent-with.ts";

const call = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] } as const;

describe("say()", () => {
  it("tells the model with its next request what was said while tools ran, all of it at once", async () => {
    const outcomes: Promise<string>[] = [];
    let run: Run | undefined;
    const hears: NativeTool = {
      ...echo,
      run: () => {
        for (const text of ["Use tabs", "And be quick"]) if (run !== undefined) outcomes.push(run.say(said(text)));
        return "a";
      },
    };
    const { agent, chaos } = await agentWith({ steps: [call, { kind: "text", text: "ok" }], host: { tools: [hears] } });
    run = agent.run(said("Go"));
    const events = await eventsOf(run);
    expect(await Promise.all(outcomes)).toEqual(["delivered", "delivered"]);
    expect(ofType(events, "user_message").map(({ text }) => text)).toEqual(["Go", "Use tabs", "And be quick"]);
    expect(chaos.requests).toHaveLength(2);
    expect(JSON.stringify(chaos.requests[1]?.prompt)).toMatch(/while you were working.*Use tabs.*while you were working.*And be quick/s);
    expect(agent.messages().slice(3, 5)).toMatchObject([
      { text: "Use tabs", note: "meanwhile" },
      { text: "And be quick", note: "meanwhile" },
    ]);
  });

  it("makes the run go on where it would have ended", async () => {
    const { agent } = await agentWith({
      steps: [
        { kind: "text", text: "one" },
        { kind: "text", text: "two" },
      ],
    });
    const run = agent.run(said("Go"));
    const outcome = run.say(said("Wait"));
    expect(doneOf(await eventsOf(run))).toMatchObject({ text: "two", turns: 2 });
    expect(await outcome).toBe("delivered");
  });

  it("says where it was not delivered: to a run that ended or was stopped before", async () => {
    const { agent } = await agentWith({ steps: [{ kind: "hang", after: "text" }] });
    const run = agent.run(said("Go"));
    const outcome = run.say(said("Wait"));
    for await (const { type } of run.events) if (type === "text_delta") run.cancel();
    expect(await outcome).toBe("not_delivered");
    expect(await run.say(said("More"))).toBe("not_delivered");
  });
});

describe("notify()", () => {
  it("shows the model what is reported, with its next request", async () => {
    const { agent, chaos } = await agentWith({ steps: [{ kind: "text", text: "ok" }], sessionId: "mail-1" });
    notify("mail-1", "The job ended.");
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "user_message")).toMatchObject([{ text: "The job ended.", source: "mailbox" }, { text: "Go" }]);
    expect(JSON.stringify(chaos.requests[0]?.prompt)).toContain("<observation>");
    await agent.close();
  });

  it("wakes an idle session, keeps the newest hundred, and tells each sender whether the model saw it", async () => {
    const woken = Promise.withResolvers<Run>();
    const { agent, chaos } = await agentWith({ steps: [{ kind: "text", text: "I see." }], sessionId: "mail-2", onWake: woken.resolve });
    const outcomes = Array.from({ length: 110 }, (_, i) => notify("mail-2", `report ${i}`));
    outcomes.push(notify("mail-2", "The job ended.", { wake: true }));
    const events = await eventsOf(await woken.promise);
    expect(await Promise.all(outcomes)).toEqual([...Array(11).fill("not_delivered"), ...Array(100).fill("delivered")]);
    expect(ofType(events, "user_message")[0]).toMatchObject({ text: "report 11" });
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "I see." });
    expect(ofType(events, "user_message")).toHaveLength(100);
    expect(chaos.requests).toHaveLength(1);
    await agent.close();
  });

  it("wakes a session once its run is over for what came too late for it", async () => {
    const woken = Promise.withResolvers<Run>();
    const { agent } = await agentWith({
      steps: [
        { kind: "text", text: "one" },
        { kind: "text", text: "two" },
      ],
      onWake: woken.resolve,
    });
    for await (const { type } of agent.run(said("Go")).events) if (type === "done") agent.notify("The job ended.", { wake: true });
    expect(doneOf(await eventsOf(await woken.promise)).text).toBe("two");
  });

  it("refuses a session that is not live", async () => {
    const { agent } = await agentWith({ sessionId: "mail-3" });
    await agent.close();
    expect(Object.keys(codes)).toContain("no_session");
    expect(() => notify("mail-3", "?")).toThrow(expect.objectContaining({ code: "no_session" }));
  });

  it("says where it was not delivered: to a run that failed, to a session that was closed", async () => {
    const { agent } = await agentWith({ steps: [{ kind: "status", status: 400 }], sessionId: "mail-4" });
    const seen = notify("mail-4", "The job ended.");
    expect(doneOf(await eventsOf(agent.run(said("Go"))))).toMatchObject({ reason: "error" });
    expect(await seen).toBe("not_delivered");
    const late = agent.notify("Another ended.");
    await agent.close();
    expect(await late).toBe("not_delivered");
    expect(await agent.notify("A third ended.", { wake: true })).toBe("not_delivered");
  });

  it("shows what came while tools ran with the next request, and does not wake a session that works", async () => {
    const woken: Run[] = [];
    const outcomes: Promise<string>[] = [];
    const reports: NativeTool = { ...echo, run: () => `${outcomes.push(notify("mail-5", "The job ended.", { wake: true }))}` };
    const { agent, chaos } = await agentWith({
      steps: [call, { kind: "text", text: "ok" }],
      sessionId: "mail-5",
      onWake: (run) => woken.push(run),
      host: { tools: [reports] },
    });
    await eventsOf(agent.run(said("Go")));
    expect(await Promise.all(outcomes)).toEqual(["delivered"]);
    expect(JSON.stringify(chaos.requests[1]?.prompt)).toContain("The job ended.");
    expect([chaos.requests.length, woken.length]).toEqual([2, 0]);
    await agent.close();
  });

  it("leaves the mail where the message is dropped", async () => {
    const dropper = {
      name: "dropper",
      source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "dropper", steer: ["agent.user_message"] }, (api) => { api.setSlot("agent.user_message", (prev, { text }) => (text === "no" ? deny("Not this.") : prev())); });`,
    };
    const { agent } = await agentWith({ steps: [{ kind: "text", text: "ok" }], host: { plugins: [dropper] } });
    agent.notify("The job ended.");
    expect(ofType(await eventsOf(agent.run(said("no"))), "user_message")).toEqual([]);
    expect(ofType(await eventsOf(agent.run(said("yes"))), "user_message")).toMatchObject([{ source: "mailbox" }, { text: "yes" }]);
  });
});

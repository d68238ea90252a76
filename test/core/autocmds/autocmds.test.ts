import { describe, expect, it } from "vitest";
import { type Autocmds, createAutocmds, MAX_DEPTH } from "../../../core/autocmds/autocmds.ts";
import type { InvokeRequest, InvokeResult } from "../../../core/isolate/isolates.ts";
import type { LoadedPlugin } from "../../../core/plugins/plugin.ts";
import { unpack } from "../../../sdk/wire.ts";
import { isolatesWith } from "../../support/isolates-with.ts";
import { autocmd, loadedPlugin } from "../../support/loaded-plugin.ts";

type Event = { id: number; event: string; match?: string; data: unknown };
type Heard = Event & { plugin: string; depth: number };
/** What the callbacks of the plugins do; it answers nothing unless it says otherwise. */
type Callback = (heard: Heard) => undefined | InvokeResult | Promise<undefined | InvokeResult>;

const answered: InvokeResult = { ok: true, answer: { kind: "nothing" }, cpuMs: 0 };
const threw: InvokeResult = { ok: false, failure: { code: "plugin_threw", message: "It threw.", plugin: "a" }, cpuMs: 0 };

function stage(plugins: LoadedPlugin[], callback: Callback = () => undefined) {
  const heard: Heard[] = [];
  const asked: InvokeRequest[] = [];
  const logged: string[] = [];
  const depths = new Map<string, number>();
  const autocmds: Autocmds = createAutocmds({
    isolates: isolatesWith({
      async invoke(request) {
        asked.push(request);
        const event = unpack(request.args[0]!) as Event;
        const one = { plugin: request.plugin, depth: depths.get(request.callKey) ?? -1, ...event };
        heard.push(one);
        return (await callback(one)) ?? answered;
      },
    }),
    plugins: () => plugins,
    maySee: (plugin, slot) => plugin.steer.includes(slot),
    enter(plugin, depth) {
      const key = `${plugin} ${depths.size}`;
      depths.set(key, depth);
      return { key, leave: () => void depths.set(key, -1) };
    },
    log: (level, plugin, text) => logged.push(`${level} ${plugin} ${text}`),
  });
  return { autocmds, heard, asked, logged, plugins, live: () => [...depths.values()].filter((depth) => depth >= 0).length };
}

const turnEnd = { sessionId: "s", reason: "finished" };
const of = (heard: readonly Heard[]) => heard.map(({ plugin, id }) => `${plugin} ${id}`);

describe("createAutocmds()", () => {
  describe("tell()", () => {
    it("tells every listener what happened, and does not wait", async () => {
      const { autocmds, heard, asked, live } = stage([
        loadedPlugin("a", { autocmds: [autocmd("TurnEnd", { handler: 4 }), autocmd(["TurnStart", "TurnEnd"], { handler: 5 })] }),
        loadedPlugin("b", { autocmds: [autocmd("TurnStart", { handler: 0 })] }),
      ]);
      autocmds.tell("TurnEnd", turnEnd);
      expect(heard).toEqual([]);
      await autocmds.idle();
      expect(heard).toEqual([
        { plugin: "a", id: 4, event: "TurnEnd", data: turnEnd, depth: 1 },
        { plugin: "a", id: 5, event: "TurnEnd", data: turnEnd, depth: 1 },
      ]);
      expect(asked[0]).toMatchObject({ plugin: "a", handler: 4, kind: "autocmd", windowMs: 30_000, sliceMs: 250, budgetMs: 1_000 });
      expect(live()).toBe(0);
    });

    it("gives listeners of plugins no match, so that only the pattern * hears", async () => {
      const { autocmds, heard } = stage([
        loadedPlugin("a", {
          autocmds: [null, ["*"], ["finished"]].map((pattern, handler) => autocmd("TurnEnd", { handler, pattern })),
        }),
      ]);
      autocmds.tell("TurnEnd", turnEnd);
      await autocmds.idle();
      expect(of(heard)).toEqual(["a 0", "a 1"]);
      expect(heard[0]).not.toHaveProperty("match");
    });

    it("tells one plugin one event at a time, in the order in which they came", async () => {
      let inside = 0;
      const { autocmds, heard } = stage([loadedPlugin("a", { autocmds: [autocmd(["TurnStart", "TurnEnd"])] })], async () => {
        expect(++inside).toBe(1);
        await Promise.resolve();
        inside--;
        return undefined;
      });
      for (let i = 0; i < 20; i++) autocmds.tell(i % 2 === 0 ? "TurnStart" : "TurnEnd", { sessionId: `${i}` });
      await autocmds.idle();
      expect(heard.map(({ data }) => (data as { sessionId: string }).sessionId)).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
    });

    it("tells each what was so when it happened, whatever others do with it", async () => {
      const seen: unknown[] = [];
      const { autocmds } = stage([loadedPlugin("a", { autocmds: [autocmd("ToolDone"), autocmd("ToolDone", { handler: 1 })] })], ({ data }) => {
        seen.push(structuredClone(data));
        (data as { tool: string }).tool = "spoilt";
        return undefined;
      });
      const data = { sessionId: "s", tool: "bash" };
      autocmds.on("ToolDone", (own) => {
        own.tool = "spoilt by the program";
      });
      autocmds.tell("ToolDone", data);
      data.tool = "changed later";
      await autocmds.idle();
      expect(seen).toEqual([
        { sessionId: "s", tool: "bash" },
        { sessionId: "s", tool: "bash" },
      ]);
    });

    it("shows content to those alone that could layer the slot it came from", async () => {
      const listens = { autocmds: [autocmd("ToolDone"), autocmd("TurnStart", { handler: 1 })] };
      const { autocmds, heard } = stage([
        loadedPlugin("may", listens, { steer: ["tool.bash.input"] }),
        loadedPlugin("other", listens, { steer: ["tool.read.input", "agent.user_message"] }),
      ]);
      const done = { sessionId: "s", toolId: "1", tool: "bash", isError: false, bytes: 2, ran: true };
      autocmds.tell("ToolDone", { ...done, input: { command: "ls" } });
      autocmds.tell("TurnStart", { sessionId: "s", text: "hello" });
      await autocmds.idle();
      const by = (plugin: string) => heard.filter((each) => each.plugin === plugin).map(({ data }) => data);
      expect(by("may")).toEqual([{ ...done, input: { command: "ls" } }, { sessionId: "s" }]);
      expect(by("other")).toEqual([done, { sessionId: "s", text: "hello" }]);
    });

    it("is not stopped by callbacks that fail, and names them", async () => {
      const { autocmds, heard, logged, live } = stage(
        [
          loadedPlugin("a", { autocmds: [autocmd("TurnEnd"), autocmd("TurnEnd", { handler: 1 }), autocmd("TurnEnd", { handler: 2 })] }),
          loadedPlugin("b", { autocmds: [autocmd("TurnEnd")] }),
        ],
        ({ plugin, id }) => {
          if (plugin === "a" && id === 1) throw new Error("the runner is closed");
          return plugin === "a" && id === 0 ? threw : undefined;
        },
      );
      autocmds.tell("TurnEnd", turnEnd);
      autocmds.tell("TurnEnd", turnEnd);
      await autocmds.idle();
      expect(of(heard).sort()).toEqual(["a 0", "a 0", "a 1", "a 1", "a 2", "a 2", "b 0", "b 0"]);
      expect(logged).toEqual([
        "error a its listener of TurnEnd failed: It threw.",
        "error a its listener of TurnEnd failed: the runner is closed",
        "error a its listener of TurnEnd failed: It threw.",
        "error a its listener of TurnEnd failed: the runner is closed",
      ]);
      expect(live()).toBe(0);
    });

    it("survives data that is no JSON", async () => {
      const { autocmds, logged } = stage([loadedPlugin("a", { autocmds: [autocmd("TurnEnd")] })]);
      const endless: Record<string, unknown> = {};
      endless.self = endless;
      autocmds.on("TurnEnd", () => {});
      autocmds.tell("TurnEnd", endless);
      autocmds.tell("TurnEnd", { run: () => {} });
      await autocmds.idle();
      expect(logged).toHaveLength(1);
    });

    it("bounds what waits for one plugin, counts what it drops, and tells the others all of it", async () => {
      const gate = Promise.withResolvers<void>();
      const { autocmds, heard, logged } = stage(
        [loadedPlugin("slow", { autocmds: [autocmd("TurnEnd")] }), loadedPlugin("fast", { autocmds: [autocmd("TurnEnd")] })],
        async ({ plugin }) => {
          if (plugin === "slow") await gate.promise;
          return undefined;
        },
      );
      for (let i = 0; i < 300; i++) {
        autocmds.tell("TurnEnd", { ...turnEnd, sessionId: `${i}` });
        if (i % 100 === 0) for (let turns = 0; turns < 2_000; turns++) await Promise.resolve();
      }
      expect(logged).toEqual(["warn slow its queue of autocmds is full: TurnEnd and what follows is dropped until it catches up"]);
      gate.resolve();
      await autocmds.idle();
      expect(heard.filter(({ plugin }) => plugin === "slow")).toHaveLength(256);
      expect(heard.filter(({ plugin }) => plugin === "fast")).toHaveLength(300);
      expect(logged.slice(1)).toEqual(["warn slow 44 autocmd events were dropped"]);
      autocmds.tell("TurnEnd", turnEnd);
      await autocmds.idle();
      expect(heard.filter(({ plugin }) => plugin === "slow")).toHaveLength(257);
    });

    it("keeps room for the end of a session where the queue is full", async () => {
      const gate = Promise.withResolvers<void>();
      const { autocmds, heard } = stage([loadedPlugin("slow", { autocmds: [autocmd(["TurnEnd", "SessionEnd"])] })], async () => {
        await gate.promise;
        return undefined;
      });
      for (let i = 0; i < 300; i++) autocmds.tell("TurnEnd", turnEnd);
      for (let i = 0; i < 300; i++) autocmds.tell("SessionEnd", { sessionId: `${i}`, reason: "delete" });
      gate.resolve();
      await autocmds.idle();
      expect(heard.filter(({ event }) => event === "TurnEnd")).toHaveLength(256);
      expect(heard.filter(({ event }) => event === "SessionEnd")).toHaveLength(256);
    });

    it("hands on how deeply plugin code made what happened", async () => {
      const { autocmds, heard } = stage([loadedPlugin("a", { autocmds: [autocmd("TurnEnd")] })]);
      autocmds.tell("TurnEnd", turnEnd);
      autocmds.tell("TurnEnd", turnEnd, 4);
      await autocmds.idle();
      expect(heard.map(({ depth }) => depth)).toEqual([1, 5]);
    });

    it("does not tell a plugin that did not load", async () => {
      const { autocmds, heard } = stage([
        loadedPlugin("a", { autocmds: [autocmd("TurnEnd")] }, { failed: { code: "plugin_threw", message: "" } }),
        loadedPlugin("b", { autocmds: [autocmd("TurnEnd")] }),
      ]);
      autocmds.tell("TurnEnd", turnEnd);
      await autocmds.idle();
      expect(of(heard)).toEqual(["b 0"]);
    });

    it("does not tell a plugin that was unloaded while the event waited, and tells the others", async () => {
      const { autocmds, heard, logged, plugins } = stage([
        loadedPlugin("a", { autocmds: [autocmd("TurnEnd")] }),
        loadedPlugin("b", { autocmds: [autocmd("TurnEnd")] }),
      ]);
      autocmds.tell("TurnEnd", turnEnd);
      plugins.shift();
      await autocmds.idle();
      expect(of(heard)).toEqual(["b 0"]);
      expect(logged).toEqual([]);
    });

    it("tells the version of a plugin that stands when its turn comes", async () => {
      const { autocmds, heard, plugins } = stage([loadedPlugin("a", { autocmds: [autocmd("TurnEnd", { handler: 1 })] })]);
      autocmds.tell("TurnEnd", turnEnd);
      plugins[0] = loadedPlugin("a", { autocmds: [autocmd("TurnEnd", { handler: 2 })] });
      await autocmds.idle();
      expect(of(heard)).toEqual(["a 2"]);
    });
  });

  describe("once", () => {
    it("is consumed by the first event that it hears, and by no other", async () => {
      const { autocmds, heard } = stage([loadedPlugin("a", { autocmds: [autocmd("a:done", { once: true, pattern: ["x"] })] })]);
      await autocmds.exec(["a:done"], { match: "y", depth: 0 });
      await autocmds.exec(["a:done"], { depth: 0 });
      expect(heard).toEqual([]);
      await autocmds.exec(["a:done"], { match: "x", depth: 0 });
      await autocmds.exec(["a:done"], { match: "x", depth: 0 });
      expect(heard).toHaveLength(1);
    });

    it("runs once though its callback fires the event again", async () => {
      const made = stage(
        [loadedPlugin("a", { autocmds: [autocmd("a:done", { once: true }), autocmd("a:done", { handler: 1 })] })],
        async ({ id, depth }) => {
          if (id === 0) await made.autocmds.exec(["a:done"], { depth });
          return undefined;
        },
      );
      await made.autocmds.exec(["a:done"], { depth: 0 });
      expect(of(made.heard)).toEqual(["a 0", "a 1", "a 1"]);
    });

    it("counts again after the plugin registered anew", async () => {
      const { autocmds, heard } = stage([
        loadedPlugin("a", { autocmds: [autocmd("TurnEnd", { once: true })] }),
        loadedPlugin("ab", { autocmds: [autocmd("TurnEnd", { once: true })] }),
      ]);
      for (let i = 0; i < 2; i++) {
        autocmds.tell("TurnEnd", turnEnd);
        await autocmds.idle();
      }
      expect(of(heard)).toEqual(["a 0", "ab 0"]);
      autocmds.reset("a");
      autocmds.tell("TurnEnd", turnEnd);
      await autocmds.idle();
      expect(of(heard)).toEqual(["a 0", "ab 0", "a 0"]);
    });
  });

  describe("remove() and clear()", () => {
    const plugins = () => [
      loadedPlugin("a", {
        autocmds: [
          autocmd("TurnEnd", { handler: 0, group: "one" }),
          autocmd("TurnEnd", { handler: 1, group: "two" }),
          autocmd("TurnEnd", { handler: 2, group: "one" }),
          autocmd("TurnEnd", { handler: 3 }),
        ],
      }),
      loadedPlugin("b", { autocmds: [autocmd("TurnEnd", { handler: 0, group: "one" })] }),
    ];

    it("silence one listener of one plugin", async () => {
      const { autocmds, heard } = stage(plugins());
      autocmds.remove("a", 0);
      autocmds.remove("a", 99);
      autocmds.remove("nobody", 0);
      autocmds.tell("TurnEnd", turnEnd);
      await autocmds.idle();
      expect(of(heard).sort()).toEqual(["a 1", "a 2", "a 3", "b 0"]);
    });

    it("silence a group of one plugin", async () => {
      const { autocmds, heard } = stage(plugins());
      autocmds.clear("a", "one");
      autocmds.clear("a", "none");
      autocmds.clear("nobody", "one");
      autocmds.tell("TurnEnd", turnEnd);
      await autocmds.idle();
      expect(of(heard).sort()).toEqual(["a 1", "a 3", "b 0"]);
    });

    it("silence a listener also for events that wait already", async () => {
      const { autocmds, heard } = stage(plugins());
      autocmds.tell("TurnEnd", turnEnd);
      autocmds.remove("a", 1);
      await autocmds.idle();
      expect(of(heard).sort()).toEqual(["a 0", "a 2", "a 3", "b 0"]);
    });
  });

  describe("exec()", () => {
    it("delivers event, match and data of one plugin to the listeners of others, and waits", async () => {
      let ended = false;
      const { autocmds, heard } = stage([loadedPlugin("a", { autocmds: [autocmd("b:done", { handler: 3 })] }), loadedPlugin("b")], async () => {
        for (let i = 0; i < 20; i++) await Promise.resolve();
        ended = true;
        return undefined;
      });
      await autocmds.exec(["b:done"], { match: "x", data: { n: [1, null] }, depth: 0 });
      expect(ended).toBe(true);
      expect(heard).toEqual([{ plugin: "a", id: 3, event: "b:done", match: "x", data: { n: [1, null] }, depth: 1 }]);
    });

    it("fires several events one after another", async () => {
      const { autocmds, heard } = stage([loadedPlugin("a", { autocmds: [autocmd(["a:one", "a:two"])] })]);
      await autocmds.exec(["a:two", "a:one", "a:none"], { depth: 0 });
      expect(heard.map(({ event }) => event)).toEqual(["a:two", "a:one"]);
    });

    it("does not wait for itself when a callback fires the event it hears", async () => {
      const made = stage([loadedPlugin("a", { autocmds: [autocmd("TurnEnd"), autocmd("a:done", { handler: 1 })] })], async ({ event, depth }) => {
        if (event === "TurnEnd") await made.autocmds.exec(["a:done"], { depth });
        return undefined;
      });
      made.autocmds.tell("TurnEnd", turnEnd);
      await made.autocmds.idle();
      expect(made.heard.map(({ event, depth }) => [event, depth])).toEqual([
        ["TurnEnd", 1],
        ["a:done", 2],
      ]);
    });

    it("ends events that fire each other, at the same count for both", async () => {
      const made = stage([loadedPlugin("a", { autocmds: [autocmd("a:ping"), autocmd("a:pong", { handler: 1 })] })], async ({ event, depth }) => {
        await made.autocmds.exec([event === "a:ping" ? "a:pong" : "a:ping"], { depth });
        return undefined;
      });
      await made.autocmds.exec(["a:ping"], { depth: 0 });
      expect(made.heard.map(({ event }) => event)).toEqual(Array.from({ length: MAX_DEPTH }, (_, i) => (i % 2 === 0 ? "a:ping" : "a:pong")));
      expect(made.logged).toHaveLength(1);
      await expect(made.autocmds.exec(["a:ping"], { depth: MAX_DEPTH })).rejects.toMatchObject({ code: "too_deep", seen: "a:ping" });
      expect(MAX_DEPTH).toBe(8);
    });

    it("tells the program too, whose failure harms nobody", async () => {
      const { autocmds, heard, logged } = stage([loadedPlugin("a", { autocmds: [autocmd("a:done")] })]);
      const seen: unknown[] = [];
      autocmds.on("a:done", () => {
        throw new Error("no");
      });
      autocmds.on("a:done", async (data) => void seen.push(data));
      await autocmds.exec(["a:done"], { data: { n: 1 }, depth: 0 });
      expect(heard).toHaveLength(1);
      expect(seen).toEqual([{ n: 1 }]);
      expect(logged).toEqual(["error program its listener of a:done failed: no"]);
    });
  });

  describe("on()", () => {
    it("lets a program hear events, with their content, until it takes it back", async () => {
      const { autocmds } = stage([]);
      const seen: unknown[] = [];
      const undo = autocmds.on("TurnStart", (data) => void seen.push(data));
      autocmds.tell("TurnStart", { sessionId: "s", text: "hello" });
      await Promise.resolve();
      undo();
      autocmds.tell("TurnStart", { sessionId: "s" });
      await Promise.resolve();
      expect(seen).toEqual([{ sessionId: "s", text: "hello" }]);
    });

    it.each(["TurnEnded", "turnend", "toString", "__proto__", ""])("refuses the event %j, that does not exist", (event) => {
      const { autocmds } = stage([]);
      expect(() => autocmds.on(event, () => {})).toThrow(expect.objectContaining({ code: "unknown_event" }));
    });

    it("names events that were meant", () => {
      expect(() => stage([]).autocmds.on("TurnEnded", () => {})).toThrow(expect.objectContaining({ seen: '"TurnEnded"; did you mean "TurnEnd"?' }));
    });
  });

  describe("tellAndWait()", () => {
    it("waits for every listener, of plugins and of the program", async () => {
      const log: string[] = [];
      const later = async (name: string) => {
        for (let i = 0; i < 20; i++) await Promise.resolve();
        log.push(name);
        return undefined;
      };
      const { autocmds } = stage([loadedPlugin("a", { autocmds: [autocmd("SessionEnd")] })], () => later("plugin"));
      autocmds.on("SessionEnd", async () => void (await later("program")));
      await autocmds.tellAndWait("SessionEnd", { sessionId: "s", reason: "shutdown", deadlineMs: 10_000 }, 10_000);
      expect(log.sort()).toEqual(["plugin", "program"]);
    });

    it("waits no longer than the grace", async () => {
      const gate = Promise.withResolvers<undefined>();
      const { autocmds } = stage([loadedPlugin("a", { autocmds: [autocmd("SessionEnd")] })], () => gate.promise);
      autocmds.on("SessionEnd", () => new Promise(() => {}));
      await autocmds.tellAndWait("SessionEnd", { sessionId: "s", reason: "shutdown", deadlineMs: 20 }, 20);
      gate.resolve(undefined);
      await autocmds.idle();
    });

    it("is done at once where nobody listens", async () => {
      await stage([]).autocmds.tellAndWait("SessionEnd", { sessionId: "s", reason: "shutdown" }, 1_000_000);
    });
  });
});

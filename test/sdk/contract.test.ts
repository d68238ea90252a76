import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  audiences,
  autocmds,
  capabilities,
  capabilityNames,
  freeMethods,
  pluginSlot,
  reservedPrefixes,
  type SlotSpec,
  slices,
  slotKey,
  slotSpec,
  slots,
} from "../../sdk/contract.ts";

/** The fields of an object's schema with their types, `?` where they may be missing. */
function fields(schema: z.ZodMiniType): string {
  const { properties, required = [], ...rest } = z.toJSONSchema(schema, { io: "input" });
  if (properties === undefined) return kind(rest);
  return Object.entries(properties)
    .map(([name, type]) => `${name}${required.includes(name) ? "" : "?"}: ${kind(type)}`)
    .join(", ");
}

function kind(schema: unknown): string {
  const { type, enum: values, items, additionalProperties, properties } = schema as Record<string, unknown>;
  if (Array.isArray(values)) return values.join("|");
  if (type === "array") return `${kind(items)}[]`;
  if (properties !== undefined) return "{}";
  if (type === "object" && typeof additionalProperties === "object") return "record";
  return typeof type === "string" ? type : "json";
}

const shown = ({ doc: _, value, ctx, answer, ...spec }: SlotSpec) => ({ value: fields(value), ctx: fields(ctx), answer: fields(answer), ...spec });

const toolCtx =
  "tool: string, toolId: string, toolKind?: string, origin: model|nested, outputMode: compact|full, sessionId: string, taskId?: string, deadlineMs: number, input?: record";
const agentCtx = "sessionId: string, taskId?: string, model: string, contextSize: number, contextWindow: number, deadlineMs: number";
const turn = { sliceMs: 250, budgetMs: 1_000, judged: false, passing: "values" };

describe("slots", () => {
  it("are these, with these values, answers, prices and limits", () => {
    expect(Object.fromEntries(Object.entries(slots).map(([name, spec]) => [name, shown(spec)]))).toEqual({
      "tool.*.input": {
        value: "record",
        ctx: toolCtx,
        answer: "record",
        shape: "record",
        verdicts: ["deny", "ask", "respond"],
        price: "tool",
        windowMs: 60_000,
        ...turn,
        judged: true,
      },
      "tool.*.output": {
        value: "text: string, isError: boolean, data?: json",
        ctx: toolCtx,
        answer: "text: string, isError: boolean, data?: json",
        shape: { text: "string", isError: "boolean?", data: "any?" },
        verdicts: ["deny"],
        price: "tool",
        windowMs: 60_000,
        ...turn,
      },
      "permission.prompt": {
        value: "tool: string, toolId: string, input: record, scopes: {}[], forcePrompt: boolean",
        ctx: toolCtx,
        answer: "decision: allow|deny, guidance?: string",
        shape: { decision: "decision", guidance: "string?" },
        verdicts: ["deny"],
        price: "tool",
        windowMs: 60_000,
        ...turn,
        passing: "fixed",
      },
      "agent.user_message": {
        value: "text: string, images: number, source: tui|acp|headless|plugin",
        ctx: agentCtx,
        answer: "text?: string, images?: number, source?: tui|acp|headless|plugin",
        shape: { text: "string" },
        verdicts: ["deny"],
        price: "all",
        windowMs: 30_000,
        ...turn,
      },
      "agent.stop": {
        value: "reason: finished|max_tokens, lastMessage: string, numTurns: number",
        ctx: agentCtx,
        answer: "continue?: string",
        shape: { continue: "string?" },
        verdicts: [],
        price: "all",
        windowMs: 30_000,
        ...turn,
      },
      "agent.compact.before": {
        value: "reason: auto|overflow|manual, contextSize: number, usable: number, requestInstructions: string",
        ctx: agentCtx,
        answer: "skip?: boolean, instructions?: string, continue?: string",
        shape: { skip: "boolean?", instructions: "string?", continue: "string?" },
        verdicts: ["deny"],
        price: "all",
        windowMs: 30_000,
        ...turn,
      },
      "agent.compact.prepare": {
        value: "results: {}[], budget: number, collapse: number[]",
        ctx: agentCtx,
        answer: "collapse: number[]",
        shape: { collapse: "array" },
        verdicts: [],
        price: "all",
        windowMs: 30_000,
        ...turn,
      },
      "completion.sources": {
        value: "{}[]",
        ctx: "sessionId: string, deadlineMs: number",
        answer: "{}[]",
        shape: "sources",
        verdicts: [],
        price: "free",
        windowMs: 1_000,
        ...turn,
      },
    });
  });

  it("of plugins take any JSON at the price that their owner sets", () => {
    expect(shown(pluginSlot)).toEqual({
      value: "json",
      ctx: "sessionId: string, deadlineMs: number",
      answer: "json",
      shape: "any",
      verdicts: [],
      price: "declared",
      windowMs: 30_000,
      ...turn,
    });
  });

  it("ask for a shape that names fields of the answer alone", () => {
    for (const [name, { shape, answer }] of Object.entries(slots)) {
      if (typeof shape === "string") continue;
      const known = Object.keys(z.toJSONSchema(answer, { io: "input" }).properties ?? {});
      expect([name, ...Object.keys(shape).filter((field) => !known.includes(field))]).toEqual([name]);
    }
  });
});

describe("slotKey()", () => {
  it.each([
    ["tool.bash.input", "tool.*.input"],
    ["tool.bash.output", "tool.*.output"],
    ["tool.*.input", "tool.*.input"],
    ["tool.server.with.dots.output", "tool.*.output"],
    ["tool.__proto__.input", "tool.*.input"],
    ["permission.prompt", "permission.prompt"],
    ["agent.compact.before", "agent.compact.before"],
    ["completion.sources", "completion.sources"],
    ["tool.bash", undefined],
    ["tool.input", undefined],
    ["tool..input", undefined],
    ["tool.bash.inputs", undefined],
    ["tool.bash.input ", undefined],
    ["Tool.bash.input", undefined],
    ["agent.*", undefined],
    ["shout.render", undefined],
    ["toString", undefined],
    ["__proto__", undefined],
    ["", undefined],
  ])("of %j is %j", (name, key) => {
    expect(slotKey(name)).toBe(key);
    expect(slotSpec(name)).toBe(key === undefined ? undefined : slots[key as keyof typeof slots]);
  });
});

describe("autocmds", () => {
  it("are these, with these data, and content for those who could layer these slots", () => {
    expect(Object.fromEntries(Object.entries(autocmds).map(([name, { data, content }]) => [name, [fields(data), content]]))).toEqual({
      TurnStart: ["sessionId: string, text?: string", { text: "agent.user_message" }],
      TurnEnd: [
        "sessionId: string, reason: finished|max_tokens|max_turns|max_cost|max_total_tokens|timeout|cancelled|dropped|doom_loop|context_budget_exhausted, usage?: json, cost?: number, contextSize?: number, contextWindow?: number, numTurns?: number",
        {},
      ],
      TurnError: ["sessionId: string, message: string", { message: "agent.user_message" }],
      ToolStart: ["sessionId: string, taskId?: string, toolId: string, tool: string", {}],
      ToolDone: [
        "sessionId: string, taskId?: string, toolId: string, tool: string, isError: boolean, bytes: number, ran: boolean, stoppedBy?: string, durationMs?: number, input?: record",
        { input: "tool.<tool>.input" },
      ],
      PermissionDecided: ["sessionId: string, taskId?: string, toolId: string, tool: string, decision: allow|deny, source: string", {}],
      PluginLoaded: ["plugin: string", {}],
      PluginFailed: ["plugin: string, code: string", {}],
      PluginUnloaded: ["plugin: string", {}],
      AutoCompacting: ["sessionId: string, taskId?: string, contextSize: number, contextWindow: number", {}],
      CompactionDone: [
        "sessionId: string, taskId?: string, contextSizeBefore: number, contextSizeAfter: number, contextWindow: number, summary?: string",
        { summary: "agent.compact.prepare" },
      ],
      SessionReset: ["sessionId: string", {}],
      SessionEnd: ["sessionId: string, reason: reset|load|delete|shutdown|reload|replaced|completed, deadlineMs?: number", {}],
      SessionStatusChanged: ["sessionId: string, status: working|needs_input|idle", {}],
      SessionTitleChanged: ["sessionId: string, title?: string", { title: "agent.user_message" }],
      TaskStatusChanged: ["sessionId: string, id: string, name?: string, status: working|done|error", { name: "agent.user_message" }],
      ModelChanged: ["sessionId: string, model: string, previous?: string", {}],
    });
  });

  it("name as content only fields that they have, of slots that exist", () => {
    for (const { data, content } of Object.values(autocmds)) {
      for (const [field, slot] of Object.entries(content)) {
        expect(Object.keys(z.toJSONSchema(data, { io: "input" }).properties ?? {})).toContain(field);
        expect(slotKey(slot.replace("<tool>", "bash"))).toBeDefined();
      }
    }
  });
});

describe("capabilities", () => {
  it("are these, with what they gate and how they are scoped", () => {
    expect(capabilityNames).toEqual(["fs_read", "fs_write", "net", "run", "env"]);
    expect(Object.fromEntries(Object.entries(capabilities).map(([name, { scope, methods }]) => [name, { scope, methods }]))).toEqual({
      fs_read: {
        scope: "path",
        methods: [
          "fs.read",
          "fs.readWindow",
          "fs.readBytes",
          "fs.stat",
          "fs.list",
          "fs.glob",
          "fs.search",
          "fs.find",
          "fs.walk",
          "fs.realpath",
          "fs.cwd",
          "fs.places",
        ],
      },
      fs_write: { scope: "path", methods: ["fs.write", "fs.append", "fs.mkdir", "fs.remove"] },
      net: { scope: "host", methods: ["net.fetch"] },
      run: { scope: "command", methods: ["run.exec", "run.start", "run.wait", "run.tail", "run.stop", "run.list"] },
      env: { scope: "variable", methods: ["env.get"] },
    });
  });

  it("cost nothing for these methods, and no method is in two places", () => {
    expect(freeMethods).toEqual([
      "store.get",
      "store.set",
      "store.delete",
      "store.keys",
      "projectStore.get",
      "projectStore.set",
      "projectStore.delete",
      "projectStore.keys",
      "person.ask",
      "syntax.query",
      "syntax.commands",
      "tools.call",
      "tools.list",
      "tools.keep",
      "agent.session",
      "agent.prompt",
      "agent.close",
      "agent.start",
      "agent.tasks",
      "agent.wait",
      "agent.stop",
      "isolate.run",
      "slots.fire",
      "slots.list",
      "autocmds.exec",
      "autocmds.delete",
      "autocmds.create",
      "autocmds.clear",
      "output.write",
    ]);
    const all = [...freeMethods, ...Object.values(capabilities).flatMap(({ methods }) => methods as readonly string[])];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("the rest of the contract", () => {
  it("keeps these names for the host, and its slots under them", () => {
    expect(reservedPrefixes).toEqual(["tool.", "ui.", "agent.", "permission.", "completion."]);
    for (const name of Object.keys(slots)) expect(reservedPrefixes.some((prefix) => name.startsWith(prefix))).toBe(true);
  });

  it("gives these slices and knows these audiences", () => {
    expect(slices).toEqual({ setup: 1_000, tool: 1_000, autocmd: 250, redactor: 250, judge: 250 });
    expect(audiences).toEqual(["main", "research", "general", "code"]);
  });

  it("says what each part is, in sentences", () => {
    for (const { doc } of [...Object.values(slots), pluginSlot, ...Object.values(autocmds), ...Object.values(capabilities)]) {
      expect(doc).toMatch(/^[A-Z`].*\.$/);
    }
  });
});

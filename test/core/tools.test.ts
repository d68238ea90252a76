import { describe, expect, it } from "vitest";
import { DEFAULT_TIMEOUT_MS, findTool, inAudience, listTools, PROGRAM, toolInfo } from "../../core/tools.ts";
import { audiences } from "../../sdk/contract.ts";
import { MortiseError } from "../../sdk/errors.ts";
import { loadedPlugin as plugin, tool } from "../support/loaded-plugin.ts";

const failed = { code: "plugin_threw", message: "It threw." };

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe("listTools()", () => {
  it("lists the tools of loaded plugins with who has them, and none of those that failed", () => {
    const tools = listTools([
      plugin("shell", { tools: [tool("bash"), tool("kill")] }),
      plugin("broken", { tools: [tool("gone")] }, { failed }),
      plugin("files", { tools: [tool("read")] }),
    ]);
    expect(tools.map(({ plugin, name }) => [plugin, name])).toEqual([
      ["shell", "bash"],
      ["shell", "kill"],
      ["files", "read"],
    ]);
  });

  it("puts tools of the program in front, and over a plugin's of the same name", () => {
    const native = {
      name: "read",
      description: "Reads.",
      inputSchema: { type: "object" },
      scopes: "none" as const,
      run: async () => ({ text: "", isError: false }),
    };
    const tools = listTools([plugin("files", { tools: [tool("read"), tool("write")] })], [native]);
    expect(tools.map(({ plugin, name }) => [plugin, name])).toEqual([
      [PROGRAM, "read"],
      ["files", "write"],
    ]);
  });
});

describe("findTool()", () => {
  const tools = listTools([
    plugin("shell", { tools: [tool("bash"), tool("batch"), tool("inner", { audiences: ["code", "general"] }), tool("__proto__"), tool("toString")] }),
  ]);

  it.each(["bash", "__proto__", "toString"])("finds %s by its name", (name) => {
    expect(findTool(tools, name, "main").name).toBe(name);
  });

  it("takes off a prefix that models write", () => {
    expect(findTool(tools, "functions.bash", "main").name).toBe("bash");
  });

  it("names close names where there is none", () => {
    expect(errorOf(() => findTool(tools, "bsh", "main"))).toMatchObject({ code: "unknown_tool", seen: '"bsh"; did you mean "bash"?' });
    expect(errorOf(() => findTool([], "bsh", "main"))).toMatchObject({ code: "unknown_tool", seen: '"bsh"' });
  });

  it.each(["constructor", "hasOwnProperty", "valueOf", ""])("does not find %j on the prototype", (name) => {
    expect(errorOf(() => findTool(tools, name, "main"))).toMatchObject({ code: "unknown_tool" });
  });

  it("refuses a caller of another audience, and says whose it is", () => {
    const error = errorOf(() => findTool(tools, "inner", "main"));
    expect(error).toBeInstanceOf(MortiseError);
    expect(error).toMatchObject({ code: "not_in_audience", seen: "inner is for code, general, and the caller is main" });
    expect(findTool(tools, "inner", "code").name).toBe("inner");
  });
});

describe("inAudience()", () => {
  it("takes everybody where a tool names none, and nobody where it names an empty list", () => {
    const [open, closed] = listTools([plugin("a", { tools: [tool("x"), tool("y", { audiences: [] })] })]);
    expect(audiences.map((audience) => inAudience(open!, audience))).toEqual([true, true, true, true]);
    expect(audiences.map((audience) => inAudience(closed!, audience))).toEqual([false, false, false, false]);
  });
});

describe("toolInfo()", () => {
  it("shows what is true where the tool does not say", () => {
    const [made] = listTools([plugin("a", { tools: [tool("x")] })]);
    expect(toolInfo(made!)).toEqual({
      name: "x",
      plugin: "a",
      description: "The tool x.",
      kind: null,
      capability: null,
      audiences: ["main", "research", "general", "code"],
      inputSchema: { type: "object", properties: {} },
      timeoutMs: DEFAULT_TIMEOUT_MS,
      polls: false,
    });
  });

  it("shows what the tool says", () => {
    const [made] = listTools([plugin("a", { tools: [tool("x", { kind: "execute", capability: "run", audiences: ["code"], timeoutMs: 5 })] })]);
    expect(toolInfo(made!)).toMatchObject({ kind: "execute", capability: "run", audiences: ["code"], timeoutMs: 5 });
  });
});

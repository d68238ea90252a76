import { describe, expect, it } from "vitest";
import type { LoadedPlugin } from "../../core/plugins/plugin.ts";
import { createStandings } from "../../core/standing.ts";
import { layer, loadedPlugin, tool } from "../support/loaded-plugin.ts";

const bash = loadedPlugin("bash", { tools: [tool("bash", { capability: "run" })] });
const guard = (more: Partial<LoadedPlugin> = {}) =>
  loadedPlugin("guard", { layers: [layer("tool.bash.input", { onFailure: "block" })] }, { granted: { run: true }, ...more });

function stage(...first: LoadedPlugin[]) {
  let plugins: readonly LoadedPlugin[] = first;
  const standings = createStandings(() => plugins, [], {});
  return {
    standings,
    set(...next: LoadedPlugin[]) {
      plugins = next;
    },
    stands: () =>
      standings
        .layers()
        .tool("input", standings.tools()[0]!)
        .map(({ plugin, broken }) => `${plugin} ${broken?.code ?? "runs"}`),
  };
}

describe("createStandings()", () => {
  it("works anew as soon as the list of plugins is another, and not before", () => {
    const { standings, set, stands } = stage(bash, guard());
    expect(stands()).toEqual(["guard runs"]);
    expect(standings.layers()).toBe(standings.layers());
    set(bash);
    expect(stands()).toEqual([]);
    set();
    expect(standings.tools()).toEqual([]);
  });

  it("breaks a guard that lost its grant, whenever it had it", () => {
    const { set, stands } = stage(bash, guard());
    expect(stands()).toEqual(["guard runs"]);
    set(bash, guard({ granted: {} }));
    expect(stands()).toEqual(["guard not_granted"]);
    set(bash, guard({ granted: {}, lost: { capabilities: { run: true }, steer: [] } }));
    expect(stands()).toEqual(["guard not_granted"]);
    set(bash, guard());
    expect(stands()).toEqual(["guard runs"]);
  });

  it("passes over a guard that never had its grant", () => {
    expect(stage(bash, guard({ granted: {} })).stands()).toEqual([]);
  });
});

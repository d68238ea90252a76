import { describe, expect, it } from "vitest";
import { createPrograms } from "../../../core/autocmds/programs.ts";

const quiet = () => {};

describe("createPrograms()", () => {
  it("waits for every listener", async () => {
    const programs = createPrograms(quiet);
    const log: string[] = [];
    programs.on("TurnEnd", async () => {
      await Promise.resolve();
      log.push("slow");
    });
    programs.on("TurnEnd", () => void log.push("fast"));
    programs.on("TurnStart", () => void log.push("other"));
    await programs.tell("TurnEnd", {});
    expect(log).toEqual(["fast", "slow"]);
  });

  it("gives each listener data of its own", async () => {
    const programs = createPrograms(quiet);
    const seen: unknown[] = [];
    for (let i = 0; i < 2; i++)
      programs.on("TurnEnd", (data) => {
        seen.push(structuredClone(data));
        data.list = "spoilt";
      });
    const data = { list: [1] };
    await programs.tell("TurnEnd", data);
    expect(seen).toEqual([{ list: [1] }, { list: [1] }]);
    expect(data).toEqual({ list: [1] });
  });

  it("names what failed, and tells the others", async () => {
    const failures: unknown[] = [];
    const programs = createPrograms((event, error) => failures.push([event, error]));
    const [now, later] = [new Error("now"), new Error("later")];
    let heard = 0;
    programs.on("TurnEnd", () => {
      throw now;
    });
    programs.on("TurnEnd", async () => {
      await Promise.resolve();
      throw later;
    });
    programs.on("TurnEnd", () => void heard++);
    await programs.tell("TurnEnd", {});
    expect(heard).toBe(1);
    expect(failures).toEqual([
      ["TurnEnd", now],
      ["TurnEnd", later],
    ]);
  });

  it("leaves nothing behind of listeners that were taken back", async () => {
    const programs = createPrograms(quiet);
    let heard = 0;
    const count = () => void heard++;
    const kept = programs.on("TurnEnd", count);
    for (let i = 0; i < 5_000; i++) {
      programs.on("TurnEnd", count)();
      if (i % 50 === 0) await programs.tell("TurnEnd", {});
    }
    expect(heard).toBe(100);
    expect(programs.listensTo("TurnEnd")).toBe(true);
    kept();
    kept();
    expect(programs.listensTo("TurnEnd")).toBe(false);
    await programs.tell("TurnEnd", {});
    expect(heard).toBe(100);
  });

  it("takes one function that listens twice for two listeners", async () => {
    const programs = createPrograms(quiet);
    let heard = 0;
    const count = () => void heard++;
    programs.on("TurnEnd", count);
    programs.on("TurnEnd", count)();
    await programs.tell("TurnEnd", {});
    expect(heard).toBe(1);
  });
});

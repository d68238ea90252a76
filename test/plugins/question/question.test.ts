import { type TestHost, testHost } from "mortise/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { PersonRequest } from "../../../core/person.ts";

type Said = { chosen: string[]; text?: string } | undefined;

const hosts: TestHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

/** A host where a person gives these answers, and what they were asked. */
async function answering(...answers: Said[]): Promise<{ host: TestHost; asked: PersonRequest[] }> {
  const asked: PersonRequest[] = [];
  const host = await testHost({
    person: {
      ask: async (request) => {
        asked.push(request);
        return answers.shift();
      },
    },
  });
  hosts.push(host);
  return { host, asked };
}

const database = { question: "Which database?", header: "Database", options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }] };

describe("question", () => {
  it("puts each question to the person, and gives an answer a line", async () => {
    const { host, asked } = await answering(
      { chosen: ["SQLite"] },
      { chosen: ["a", "b"], text: "and c" },
      { chosen: [], text: "main" },
      { chosen: [] },
    );
    const record = await host.call("question", {
      questions: [
        database,
        { question: "Which?", header: " Parts\n ", options: [{ label: "a" }, { label: " b\n" }], multiSelect: true },
        { question: "Which\nbranch?" },
        { question: "More?", header: "More", options: [{ label: "x" }], multiSelect: true },
      ],
    });
    expect(record).toMatchObject({ isError: false, ran: true });
    expect(record.text).toBe("Database: SQLite\nParts: a, b, and c\nWhich branch?: main\nMore: none of them");
    expect(record.data).toMatchObject({
      answers: [{ header: "Database", chosen: ["SQLite"], text: null, dismissed: false }, {}, { text: "main" }, {}],
    });
    expect(asked.map(({ plugin, tool, question, multiple, freeText }) => [plugin, tool, question, multiple, freeText])).toEqual([
      ["question", "question", "Which database?", false, true],
      ["question", "question", "Which?", true, true],
      ["question", "question", "Which\nbranch?", false, true],
      ["question", "question", "More?", true, true],
    ]);
    expect(asked[0]?.options).toEqual(database.options);
    expect(asked[1]?.options).toEqual([{ label: "a" }, { label: "b" }]);
  });

  it("asks no more once the person turned away", async () => {
    const { host, asked } = await answering({ chosen: ["SQLite"] }, undefined);
    const record = await host.call("question", { questions: [database, { question: "Why?" }, { question: "When?" }, { question: "Who?" }] });
    expect(record).toMatchObject({ isError: false });
    expect(record.text).toBe("Database: SQLite\nWhy?: [the user did not answer]\n[2 more questions were not asked any more]");
    expect(asked).toHaveLength(2);
  });

  it("is not there where nobody can answer, and for nobody but the main agent", async () => {
    const alone = await testHost();
    hosts.push(alone);
    expect(alone.tools().map(({ name }) => name)).not.toContain("question");
    expect(await alone.call("question", { questions: [database] })).toMatchObject({ ran: false, code: "unknown_tool" });
    const { host } = await answering({ chosen: [] });
    expect(host.tools("main").map(({ name }) => name)).toContain("question");
    for (const audience of ["research", "general", "code"] as const) {
      expect(host.tools(audience).map(({ name }) => name)).not.toContain("question");
      expect(await host.call("question", { questions: [database] }, { audience })).toMatchObject({ ran: false, code: "not_in_audience" });
    }
  });

  it("gives what was answered to redactors", async () => {
    const redactor = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "hides", steer: ["tool.*.output"] }, (api) => { api.redact((text) => text.replaceAll("hunter2", "[redacted]")); });`;
    const host = await testHost({ plugins: [{ name: "hides", source: redactor }], person: { ask: async () => ({ chosen: [], text: "hunter2" }) } });
    hosts.push(host);
    const record = await host.call("question", { questions: [{ question: "Password?" }] });
    expect(record.text).toBe("Password?: [redacted]");
    expect(JSON.stringify(record)).not.toContain("hunter2");
  });

  it("is cancelled while the person thinks, and keeps what was answered", async () => {
    const cancel = new AbortController();
    let first = true;
    const host = await testHost({
      person: {
        ask: async () => {
          if (first) {
            first = false;
            return { chosen: ["SQLite"] };
          }
          cancel.abort();
          return new Promise(() => {});
        },
      },
    });
    hosts.push(host);
    const record = await host.call("question", { questions: [database, { question: "Why?" }] }, { signal: cancel.signal });
    expect(record).toMatchObject({ isError: true, code: "cancelled", text: expect.stringMatching(/^Database: SQLite\n\[The call was cancelled/) });
  });

  it("says what is wrong before anybody is asked", async () => {
    const { host, asked } = await answering();
    const inputs: unknown[] = [
      {},
      { questions: [] },
      { questions: "Which?" },
      { questions: [{}] },
      { questions: [{ question: "" }] },
      { questions: [{ question: " " }] },
      { questions: [{ question: 1.5e300 }, "x"] },
      { questions: [{ question: "x".repeat(2_001) }] },
      { questions: Array.from({ length: 9 }, () => ({ question: "?" })) },
      { questions: [{ question: "?", options: [{}] }] },
      { questions: [{ question: "?", options: [{ label: "" }] }] },
      { questions: [{ question: "?", options: Array.from({ length: 13 }, (_, index) => ({ label: `${index}` })) }] },
      { questions: [{ question: "?", multiSelect: "perhaps" }] },
    ];
    for (const input of inputs)
      expect(await host.call("question", input), JSON.stringify(input)).toMatchObject({ ran: false, code: "invalid_input" });
    const twice = await host.call("question", { questions: [{ question: "?", options: [{ label: "a" }, { label: "a " }] }] });
    expect(twice).toMatchObject({ isError: true, text: 'Two options of "?" have the same label. Give each its own.' });
    expect(asked).toEqual([]);
  });

  it("asks nothing that nobody could see", async () => {
    const { host, asked } = await answering();
    for (const question of [{ question: "\u200b" }, { question: "Which?", options: [{ label: "\u202e" }, { label: "a" }] }]) {
      expect(await host.call("question", { questions: [question] })).toMatchObject({
        isError: true,
        text: expect.stringContaining("no text that can be seen"),
      });
    }
    expect(await host.call("question", { questions: [{ question: "Which?", options: [{ label: "a\u200b" }, { label: "a" }] }] })).toMatchObject({
      isError: true,
      text: expect.stringContaining("the same label"),
    });
    expect(asked).toEqual([]);
  });
});

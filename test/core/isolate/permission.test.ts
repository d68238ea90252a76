import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findRunnerFiles } from "../../../core/isolate/runner-files.ts";
import { node24, node26 } from "./support.ts";

/** What code in a runner's process can do that got out of its isolate: a probe is started with the runner's own flags. */
describe("a runner's process", () => {
  const folder = mkdtempSync(join(tmpdir(), "mortise-probe-"));
  const program = join(folder, "probe.cjs");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const probe = (node: string, code: string): string => {
    writeFileSync(program, `const say = (text) => require("node:fs").writeSync(1, String(text)); try { ${code} } catch (error) { say(error.code) }`);
    const flags = findRunnerFiles().argv.slice(0, -2);
    return spawnSync(node, [...flags, `--allow-fs-read=${program}`, program], { env: {}, cwd: "/", encoding: "utf8", timeout: 20_000 }).stdout;
  };

  for (const [version, node] of [
    ["Node 26", node26],
    ["Node 24", node24],
  ] as const) {
    it.each([
      ["reads no files", `say(require("node:fs").readFileSync("/etc/passwd", "utf8"))`],
      ["lists no folders", `say(require("node:fs").readdirSync("/"))`],
      [
        "reads nothing of the host's code but its own",
        `say(require("node:fs").readFileSync(${JSON.stringify(join(import.meta.dirname, "../../../package.json"))}))`,
      ],
      ["writes no files", `require("node:fs").writeFileSync("/tmp/mortise-escaped", "x"); say("written")`],
      ["starts no processes", `say(require("node:child_process").spawnSync("/bin/true").status)`],
      ["starts no workers", `new (require("node:worker_threads").Worker)("1", { eval: true }); say("started")`],
    ])(`%s (${version})`, (_what, code) => {
      expect(probe(node, code)).toBe("ERR_ACCESS_DENIED");
    });

    it(`has no environment (${version})`, () => {
      expect(probe(node, "say(JSON.stringify(process.env))")).toBe("{}");
    });

    it(`can read itself (${version})`, () => {
      expect(probe(node, `say(require("node:fs").readFileSync(__filename).length > 0)`)).toBe("true");
    });
  }

  it("opens no sockets on Node 26", () => {
    expect(
      probe(node26, `require("node:net").connect(1, "127.0.0.1").on("error", (error) => say(error.code)).on("connect", () => say("connected"))`),
    ).toBe("ERR_ACCESS_DENIED");
  });
});

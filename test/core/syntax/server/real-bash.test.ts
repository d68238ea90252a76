import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { follow } from "../../../../core/syntax/server/understand.ts";
import { scripts, stubs } from "./bash-scripts.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-bash-")));
const bin = join(root, "bin");
const work = join(root, "work");
mkdirSync(bin);
// One write each, so that programs of a pipeline do not write into each other's lines.
for (const name of stubs) {
  writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\037' "\${0##*/}" "$@" '\u001e' >>"$MORTISE_LOG"\n`);
  chmodSync(join(bin, name), 0o755);
}
afterAll(() => rmSync(root, { recursive: true, force: true }));

const hasBash = spawnSync("bash", ["-c", "true"]).status === 0;
const seconds = Number(process.env.MORTISE_FUZZ_SECONDS ?? 6);
let runs = 0;
const seed = Number(process.env.MORTISE_FUZZ_SEED ?? Date.now() % 2 ** 31);

/** The programs that bash runs for a script, with their words. What it leaves running is ended. */
async function run(script: string): Promise<string[][]> {
  const log = join(root, `log-${++runs}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: join(root, "home"), MORTISE_LOG: log };
  const shell = spawn("bash", ["-c", script], { cwd: work, env, stdio: "ignore", detached: true });
  const end = () => {
    try {
      process.kill(-shell.pid!, "SIGKILL");
    } catch {
      // Nothing is left.
    }
  };
  const timer = setTimeout(end, 1_000);
  await once(shell, "exit");
  clearTimeout(timer);
  end();
  if (!existsSync(log)) return [];
  const entries = readFileSync(log, "utf8").split("\u001e\u001f");
  rmSync(log);
  return entries.filter((entry) => entry !== "").map((entry) => entry.split("\u001f").slice(0, -1));
}

/** Why a program that ran is not among what was understood; undefined where it is, or where it was said that not all is known. */
function missed(script: string, ran: readonly string[][]): string | undefined {
  const { commands, unresolved, doubt } = follow(script, { cwd: work, env: { HOME: join(root, "home") } });
  if (doubt !== undefined || unresolved.length > 0) return undefined;
  const miss = ran.find(
    ([program, ...words]) =>
      !commands.some(({ argv: [first, ...rest] }) => {
        if (first === undefined || first.text.slice(first.text.lastIndexOf("/") + 1) !== program) return false;
        return (
          rest.some((word) => !word.static || word.values !== undefined) || JSON.stringify(rest.map((word) => word.text)) === JSON.stringify(words)
        );
      }),
  );
  return miss === undefined ? undefined : `bash ran ${JSON.stringify(miss)} of ${JSON.stringify(commands.map((command) => command.text))}`;
}

describe.runIf(hasBash)("what real bash runs", () => {
  it("is among what is understood, or the text is asked about", { timeout: seconds * 1_000 + 30_000 }, async () => {
    console.log(`MORTISE_FUZZ_SEED=${seed}`);
    const known = { ran: 0, understood: 0 };
    const property = fc.asyncProperty(scripts, async (script) => {
      const ran = await run(script);
      known.ran += ran.length;
      expect(missed(script, ran)).toBeUndefined();
      const { unresolved, doubt } = follow(script, { cwd: work, env: {} });
      if (ran.length > 0 && doubt === undefined && unresolved.length === 0) known.understood++;
    });
    await fc.assert(property, {
      seed,
      numRuns: 100_000,
      interruptAfterTimeLimit: seconds * 1_000,
      markInterruptAsFailure: false,
      endOnFailure: true,
    });
    console.log(`${known.ran} programs ran, ${known.understood} scripts were understood`);
    // Scripts that run nothing, or are all asked about, would prove nothing.
    expect(known.ran).toBeGreaterThan(10);
    expect(known.understood).toBeGreaterThan(0);
  });

  const told: [script: string, ...ran: string[]][] = [
    ["qa 'a b' | qb; qc && qd", "qa a b", "qb", "qc", "qd"],
    ["q''a <<X | qb\nqc\nX", "qa", "qb"],
    ["timeout 5 env A=1 qa x", "qa x"],
    ["if qa; then qb; fi # qc", "qa", "qb"],
  ];
  it.each(told)("is told of %j as it was run", async (script, ...lines) => {
    const ran = await run(script);
    expect(ran.map((argv) => argv.join(" ")).sort()).toEqual(lines.sort());
    expect(missed(script, ran)).toBeUndefined();
  });

  it("would be missed where it is not understood", () => {
    expect(missed("qa x", [["qb"]])).toBeDefined();
    expect(missed("qa x", [["qa", "y"]])).toBeDefined();
  });
});

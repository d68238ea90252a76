import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { bundler, hasEnded } from "../../../core/plugins/bundler.ts";

/** The bundler's own process, a child of this one. */
function bundlers(): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  return rows
    .filter((row) => row.includes("--service="))
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parent]) => (parent === process.pid && pid !== undefined ? [pid] : []));
}

/** Bundles a file whose reading first does something. */
const bundle = (read: () => void | Promise<void>) =>
  bundler((esbuild) =>
    esbuild.build({
      stdin: { contents: 'import "virtual:a";' },
      bundle: true,
      write: false,
      logLevel: "silent",
      plugins: [
        {
          name: "virtual",
          setup: (build) => {
            build.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: "virtual" }));
            build.onLoad({ filter: /./, namespace: "virtual" }, async () => {
              await read();
              return { contents: "console.log(1);" };
            });
          },
        },
      ],
    }),
  );

describe("bundler()", () => {
  it("tries again alone what was under way when the bundler ended, and gives up on what ends it again", async () => {
    const reading = Promise.withResolvers<void>();
    const kill = async () => {
      await reading.promise;
      for (const pid of bundlers()) process.kill(pid, "SIGKILL");
      return new Promise<void>(() => {});
    };
    let tries = 0;
    const innocent = bundle(() => {
      reading.resolve();
      return tries++ === 0 ? new Promise<void>(() => {}) : undefined;
    });
    await expect(bundle(kill)).rejects.toSatisfy(hasEnded);
    expect((await innocent).outputFiles?.[0]?.text).toContain("console.log(1)");
    expect(tries).toBe(2);
  });

  it("leaves no process behind", async () => {
    await bundle(() => {});
    await expect.poll(bundlers).toEqual([]);
  });
});

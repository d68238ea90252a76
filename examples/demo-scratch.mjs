import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const files = {
  "README.md": "# Scratch\n",
  "src/app.ts": "// TODO: greet by name\nexport const greet = () => 'hello';\n",
  "build.sh": [
    ...["serde v1.0.1", "rand v0.9.0", "tokio v1.48.0"].map((crate) => `echo "   Compiling ${crate}"`),
    'echo "warning: unused variable: x"',
    'echo "    Finished dev in 2.31s"',
  ].join("\n"),
  ".env": `GITHUB_TOKEN=ghp_${"a1B2".repeat(9)}\nLOG_LEVEL=debug\n`,
  "bin/terraform": '#!/bin/sh\ntouch applied\necho "Apply complete! Resources: 1 added."\n',
};

/** A git repository in a folder of its own, with settings of its own, and a way to call the bash tool there. */
export function makeScratch(plugins) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mortise-demo-")));
  const repository = join(folder, "repository");
  const env = {
    ...process.env,
    PATH: [join(repository, "bin"), process.env.PATH].join(delimiter),
    MORTISE_CONFIG_HOME: join(folder, "config"),
    MORTISE_CACHE_HOME: join(folder, "cache"),
    MORTISE_STATE_HOME: join(folder, "state"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    NO_COLOR: "1",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(repository, path, ".."), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  chmodSync(join(repository, "bin/terraform"), 0o755);
  const git = (...args) => spawnSync("git", ["-c", "user.name=demo", "-c", "user.email=demo@example.com", ...args], { cwd: repository, env });
  git("init", "-q", "-b", "main");
  git("add", "src");
  git("commit", "-q", "-m", "Begin");

  return {
    hasRipgrep: spawnSync("rg", ["--version"], { env }).status === 0,
    has: (path) => existsSync(join(repository, path)),
    call(command, args) {
      const options = plugins.flatMap((name) => ["--plugin", here(`${name}.ts`)]);
      const cli = [here("../core/cli/mortise.mjs"), "call", "bash", JSON.stringify({ command }), "--json", ...args, ...options];
      const child = spawnSync(process.execPath, cli, { cwd: repository, env, encoding: "utf8", timeout: 30_000 });
      try {
        return { ...JSON.parse(child.stdout), exit: child.status, raw: child.stdout };
      } catch {
        return { exit: child.status, text: child.stderr };
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

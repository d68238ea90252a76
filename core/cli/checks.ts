import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import type { Cli } from "./cli.ts";
import { folderOf } from "./cwd.ts";
import type { HostedOptions } from "./hosted.ts";

export type Finding = { state: "ok" | "warning" | "error"; check: string; plugin?: string; message: string; fix?: string };

/** Looks at everything a host stands on, one thing after the other, so that a broken one does not hide the rest. */
export async function runChecks(options: HostedOptions, cli: Cli): Promise<Finding[]> {
  const findings: Finding[] = [{ state: "ok", check: "node", message: process.versions.node }];
  for (const [name, check] of checks) {
    try {
      findings.push(...(await check(options, cli)));
    } catch (error) {
      findings.push({ state: "error", check: name, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return findings;
}

type Check = (options: HostedOptions, cli: Cli) => Promise<Finding[]>;

const checks: readonly (readonly [string, Check])[] = [
  ["isolates", isolates],
  ["syntax", syntax],
  ["folders", folders],
  ["settings", settings],
  ["model", model],
  ["plugins", plugins],
];

/** The way of every plugin: compiled, described, loaded into an isolate, called. */
async function isolates(): Promise<Finding[]> {
  const { createHost } = await import("../host.ts");
  const host = await createHost({ builtins: false, spare: false, plugins: [{ name: "doctor", source: READY }] });
  try {
    const { text } = await host.call({ tool: "ready", input: {} });
    const check = "isolates";
    if (text === "ready") return [{ state: "ok", check, message: "a plugin compiles, and its isolate answers" }];
    return [{ state: "error", check, message: host.problems()[0]?.message ?? text, fix: "Install again with `npm ci`" }];
  } finally {
    await host.close();
  }
}

const READY = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "doctor" }, (api) => {
  api.registerTool({ name: "ready", description: "Says that it is.", input: { type: "object", properties: {} }, scopes: "none", run: () => "ready" });
});`;

async function syntax(): Promise<Finding[]> {
  const { createSyntax } = await import("../syntax/syntax.ts");
  const parser = createSyntax();
  try {
    const { commands, unparseable } = await parser.commands("echo ready");
    if (unparseable || commands.length !== 1) {
      return [
        {
          state: "error",
          check: "syntax",
          message: "the parser does not answer, so every command is asked about",
          fix: "Install again with `npm ci`",
        },
      ];
    }
    return [{ state: "ok", check: "syntax", message: "the parser answers" }];
  } finally {
    await parser.close();
  }
}

async function folders(): Promise<Finding[]> {
  const { userFolders } = await import("../config/folders.ts");
  return Promise.all(
    Object.entries(userFolders()).map(async ([kind, folder]): Promise<Finding> => {
      const check = `${kind} folder`;
      const at = await nearestThere(folder);
      const writable = await access(at, constants.W_OK | constants.X_OK).then(
        () => true,
        () => false,
      );
      if (writable) return { state: "ok", check, message: folder };
      return {
        state: "error",
        check,
        message: `${folder} cannot be written`,
        fix: `Make ${at} yours, or move the folder with MORTISE_${kind.toUpperCase()}_HOME`,
      };
    }),
  );
}

/** The folder itself, or the nearest above it that is there: what is missing is made when it is needed. */
async function nearestThere(folder: string): Promise<string> {
  const there = await access(folder).then(
    () => true,
    () => false,
  );
  return there || dirname(folder) === folder ? folder : nearestThere(dirname(folder));
}

async function settings({ cwd }: HostedOptions): Promise<Finding[]> {
  const { loadSettings } = await import("../config/settings.ts");
  const { project, trust, warnings, rules } = await loadSettings({ cwd: await folderOf(cwd) });
  const trusted: Finding =
    trust.state === "trusted" || trust.state === "nothing"
      ? {
          state: "ok",
          check: "trust",
          message: trust.state === "trusted" ? `${project.root} is trusted` : `${project.root} has no settings of its own`,
        }
      : {
          state: "warning",
          check: "trust",
          message: `${project.root} ${trust.state === "changed" ? "changed since it was trusted" : "is not trusted"}`,
          fix: "Look at it with `mortise trust`, then `mortise trust add`",
        };
  return [
    { state: "ok", check: "settings", message: `they parse, with ${rules.length} permission ${rules.length === 1 ? "rule" : "rules"}` },
    trusted,
    ...warnings.map((message): Finding => ({ state: "warning", check: "settings", message })),
  ];
}

async function model(options: HostedOptions): Promise<Finding[]> {
  const { checkModel } = await import("./check-model.ts");
  return checkModel(options);
}

async function plugins(options: HostedOptions, cli: Cli): Promise<Finding[]> {
  const [{ withHost }, { problemsOf }] = await Promise.all([import("./with-host.ts"), import("./problems-of.ts")]);
  return withHost({ ...options, lenient: true }, { ...cli, stdio: { ...cli.stdio, say: () => {} } }, async (host) => {
    const loaded = host.plugins().filter(({ failed }) => failed === null);
    const problems = problemsOf(host).map(
      ({ severity, plugin, message, fix }): Finding => ({
        state: severity,
        check: "plugin",
        ...(plugin === null ? {} : { plugin }),
        message,
        ...(fix === undefined ? {} : { fix }),
      }),
    );
    return [
      {
        state: "ok",
        check: "plugins",
        message: `${loaded.length} loaded${loaded.map(({ name }, index) => `${index === 0 ? ": " : ", "}${name}`).join("")}`,
      },
      ...problems,
    ];
  });
}

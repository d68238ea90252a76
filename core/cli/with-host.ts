import type { Host, HostOptions } from "../host-types.ts";
import type { Asker } from "../permission/permission.ts";
import type { Cli } from "./cli.ts";
import { folderOf } from "./cwd.ts";
import type { HostedOptions } from "./hosted.ts";
import { visible } from "./visible.ts";

export type WithHostOptions = HostedOptions & {
  yolo?: true;
  /** Answers permission prompts. */
  answer?: "allow" | "deny";
  /** A person is asked about grants and permissions, where one is there. */
  asks?: true;
};

/** Starts a host as the options say, uses it, and leaves nothing of it running. */
export async function withHost<T>(options: WithHostOptions, cli: Cli, use: (host: Host) => Promise<T>): Promise<T> {
  const cwd = await folderOf(options.cwd);
  const { createHost } = await import("../host.ts");
  const ask = await askerOf(options, cli);
  const host = await createHost({
    cwd,
    commandLine: options.plugin ?? [],
    noGrant: !options.grant,
    settings: "files",
    filePlugins: options.plugins,
    grant: granterOf(options, cli),
    yolo: options.yolo ?? false,
    // One call needs no runner in reserve.
    spare: false,
    ...(ask === undefined ? {} : { ask }),
  });
  try {
    tellProblems(host, cli);
    return await use(host);
  } finally {
    await host.close();
  }
}

async function askerOf({ answer, asks }: WithHostOptions, cli: Cli): Promise<Asker | undefined> {
  if (answer !== undefined) return async () => ({ decision: answer });
  if (!asks || !cli.stdio.interactive) return undefined;
  const [{ createAsker }, { createQuestions }] = await Promise.all([import("./prompt.ts"), import("./question.ts")]);
  return createAsker(createQuestions(), cli.stdio);
}

/** A file named on the command line is granted what it asks for; for any other plugin a person is asked, where one is there. */
function granterOf(options: WithHostOptions, cli: Cli): NonNullable<HostOptions["grant"]> {
  return async (question) => {
    const all = { granted: question.asks, steer: question.steer };
    const none = { granted: {}, steer: [] };
    if (!options.asks) return none;
    if (!cli.stdio.interactive) {
      cli.stdio.say(visible(`mortise: ${question.plugin} waits for a grant: see \`mortise grant ${question.plugin}\``));
      return none;
    }
    const [{ askConsent }, { createQuestions }] = await Promise.all([import("./consent.ts"), import("./question.ts")]);
    return (await askConsent(question, createQuestions(), cli.stdio, cli.aborted)) ? all : none;
  };
}

function tellProblems(host: Host, { stdio }: Cli): void {
  for (const { severity, message, fix } of host.problems()) {
    if (severity === "error")
      stdio.say(`${stdio.paintError("yellow", "mortise:")} ${visible(message)}${fix === undefined ? "" : ` ${visible(fix)}`}`);
  }
}

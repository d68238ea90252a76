import { resolve } from "node:path";
import { isCode, MortiseError } from "../../sdk/errors.ts";
import type { Host, HostOptions } from "../host-types.ts";
import type { Cli } from "./cli.ts";
import { folderOf } from "./cwd.ts";
import { exits } from "./exits.ts";
import { waitsFor } from "./grants-text.ts";
import type { HostedOptions } from "./hosted.ts";
import { problemsOf } from "./problems-of.ts";
import { visible } from "./visible.ts";

export type WithHostOptions = HostedOptions & {
  yolo?: true;
  /** Answers permission prompts. */
  answer?: "allow" | "deny";
  /** A person is asked about grants and permissions, where one is there. */
  asks?: true;
  /** A call follows. */
  warm?: true;
  /** For a program that drives a session: whoever is at the terminal is not asked. */
  driven?: Pick<HostOptions, "ask" | "person" | "sessionId" | "rules" | "offers" | "trustProject">;
  /** A plugin of the command line that does not load is a problem among others, not the end. */
  lenient?: true;
};

/** Starts a host as the options say, uses it, and leaves nothing of it running. Throws the load error of a plugin that the command line names. */
export async function withHost<T>(options: WithHostOptions, cli: Cli, use: (host: Host) => Promise<T>): Promise<T> {
  const cwd = await folderOf(options.cwd);
  const named = (options.plugin ?? []).map((file) => resolve(file));
  const [{ createHost }, asked] = await Promise.all([import("../host.ts"), options.driven ?? (options.asks ? askedOn(options, cli) : listedOn(cli))]);
  const host = await createHost({
    // What the host itself has to say; what plugins log is for `mortise logs`.
    onLog: ({ level, plugin, text }) => {
      if (plugin === null && level !== "debug" && level !== "info") cli.stdio.say(visible(`mortise: ${text}`));
    },
    cwd,
    commandLine: named,
    noGrant: !options.grant,
    settings: "files",
    filePlugins: options.plugins,
    yolo: options.yolo ?? false,
    // One call needs no runner in reserve.
    spare: false,
    warm: options.warm ?? false,
    ...asked,
  });
  try {
    if (!options.lenient) mustHaveLoaded(host, named);
    if (options.asks || options.driven !== undefined) tellProblems(host, cli);
    return await use(host);
  } finally {
    await host.close();
  }
}

/** How a person is asked, where one is there. */
async function askedOn({ answer }: WithHostOptions, cli: Cli): Promise<Pick<HostOptions, "ask" | "grant" | "person">> {
  const ask: Pick<HostOptions, "ask"> = answer === undefined ? {} : { ask: async () => ({ decision: answer }) };
  if (!cli.stdio.interactive) return ask;
  const [{ createAsker }, { createQuestions }, { askConsent }, { createPerson }] = await Promise.all([
    import("./prompt.ts"),
    import("./question.ts"),
    import("./consent.ts"),
    import("./person.ts"),
  ]);
  const questions = createQuestions();
  const asker = createAsker(questions, cli.stdio);
  const person = createPerson(questions, cli.stdio);
  return {
    // What a tool shows while it runs would be drawn over a question.
    ask: (request) => cli.stdio.withoutLive(() => asker(request)),
    ...ask,
    person: { ...person, ask: (request) => cli.stdio.withoutLive(() => person.ask(request)) },
    grant: async (question) => {
      const said = await askConsent(question, questions, cli.stdio, cli.aborted);
      if (said === undefined) return undefined;
      return said === "yes" ? { granted: question.asks, steer: question.steer } : { granted: {}, steer: [] };
    },
  };
}

/** What calls nothing lists what a call here would find. */
function listedOn(cli: Cli): Pick<HostOptions, "person"> {
  return cli.stdio.interactive ? { person: { ask: async () => undefined } } : {};
}

function mustHaveLoaded(host: Host, named: readonly string[]): void {
  const problem = problemsOf(host).find(({ severity, path }) => severity === "error" && path !== undefined && named.includes(path));
  if (problem === undefined) return;
  // Whatever it failed with, naming it was a mistake of the command line's.
  throw Object.assign(new MortiseError(isCode(problem.code) ? problem.code : "plugin_invalid"), { message: problem.message, exit: exits.usage });
}

function tellProblems(host: Host, { stdio }: Cli): void {
  const tell = (text: string) => stdio.say(`${stdio.paintError("yellow", "mortise:")} ${visible(text)}`);
  for (const { severity, code, message, fix } of problemsOf(host)) {
    // What was written down and does not count is told too, or it would be looked for in vain.
    if (severity === "error" || code === "settings") tell(fix === undefined ? message : `${message} ${fix}.`);
  }
  if (stdio.interactive) return;
  for (const plugin of host.plugins()) {
    const waits = plugin.origin === "user" || plugin.origin === "project" ? waitsFor(plugin) : "";
    if (waits !== "") tell(`${plugin.name} was not granted ${waits}: \`mortise grant ${plugin.name}\` does`);
  }
}

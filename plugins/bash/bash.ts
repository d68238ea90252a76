import { definePlugin } from "mortise/sdk";
import { resultText, tailOf } from "./result-text.ts";

type Input = { command: string; timeout?: number; workdir?: string; description?: string; tail?: number };

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 600;

export default definePlugin({ name: "bash", description: "Runs commands in bash.", capabilities: { run: true } }, (api) => {
  api.registerTool<Input>({
    name: "bash",
    kind: "execute",
    capability: "run",
    timeoutMs: (MAX_TIMEOUT_S + 10) * 1000,
    description: [
      "Runs a command with `bash -c` and answers what it printed, standard output and error together.",
      "Use it for git, builds, tests and programs; read and write files with the tools for that.",
      "Set `workdir` instead of writing `cd DIR && ...`. Chain commands that need each other with `&&`.",
      "Standard input is closed: what asks for input fails at once. Long output is cut in the middle; `tail` keeps only the last lines.",
    ].join(" "),
    input: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, description: "The command" },
        timeout: { type: "integer", minimum: 1, maximum: MAX_TIMEOUT_S, description: `Seconds until it is ended; ${DEFAULT_TIMEOUT_S} unless said` },
        workdir: { type: "string", minLength: 1, description: "The folder to run in; the project's unless said" },
        description: { type: "string", description: "What it is for, in three to five words" },
        tail: { type: "integer", minimum: 1, description: "Keep only so many lines from the end" },
      },
      required: ["command"],
    },
    scopes: ({ command, workdir }) => ({ scopes: [{ kind: "shell", command, ...(workdir === undefined ? {} : { cwd: workdir }) }] }),
    run: async ({ command, workdir, timeout = DEFAULT_TIMEOUT_S, tail }) => {
      const done = await api.run.exec({
        argv: ["bash", "-c", command],
        timeoutMs: timeout * 1000,
        live: true,
        ...(workdir === undefined ? {} : { cwd: workdir }),
      });
      return resultText({ ...done, text: tail === undefined ? done.text : tailOf(done.text, tail) }, timeout);
    },
  });
});

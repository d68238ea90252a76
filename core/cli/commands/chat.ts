import { Command, InvalidArgumentError } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import { type Run, withExamples } from "../help.ts";

type Options = {
  model?: string;
  continue?: true;
  session?: string;
  forkSession?: true;
  yolo?: true;
  trust?: true;
  plugin?: string[];
  grant: boolean;
  plugins: boolean;
  cwd?: string;
};

export function chatCommand(run: Run): Command {
  const command = new Command("chat")
    .summary("talk with an agent on the terminal; what `mortise` alone does")
    .description("Talks with an agent on the terminal. You are asked before it does what no rule allows. `mortise` without a command is the same.")
    .option("-m, --model <provider/name>", "the model, instead of the config's")
    .option("-c, --continue", "go on with the last session of this folder")
    .option("-s, --session <id>", "go on with this session")
    .option("--fork-session", "go on in a copy of it")
    .option("--yolo", "allow what no rule decides, without asking")
    .option("--trust", "let the project's files count, as they are now")
    .option("--plugin <file>", "load this plugin too, with what it asks for (repeatable)", (file: string, files: readonly string[] = []) => {
      if (file === "") throw new InvalidArgumentError("It is the path of a file or folder.");
      return [...files, file];
    })
    .option("--no-grant", "do not grant the --plugin files what they ask for")
    .option("--no-plugins", "load no plugins but the built-in ones and the --plugin files")
    .option("--cwd <folder>", "the project's folder, where tools run")
    .action((options: Options) =>
      run(async (cli) => {
        if (options.continue && options.session !== undefined)
          throw new MortiseError("usage", { seen: "--continue and --session name two sessions" });
        const { startChat } = await import("../chat/start-chat.ts");
        return startChat(options, cli);
      }),
    );
  return withExamples(command, [
    ["", "opens a chat in this folder"],
    ["--continue", "goes on with the last session of this folder"],
    ["--model ollama/qwen3", "asks another model"],
  ]);
}

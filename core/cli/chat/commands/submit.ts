import type { Image } from "../../../../sdk/api.ts";
import { MortiseError } from "../../../../sdk/errors.ts";
import type { ChatControl } from "../chat-control.ts";
import { mentionedImages } from "../completion/mentioned-images.ts";
import type { Commands } from "./commands.ts";
import { runShell } from "./shell.ts";

export type SubmitOptions = {
  control: ChatControl;
  commands: Commands;
  /** A message for the model, with the images that it mentions. */
  send(text: string, images: readonly Image[]): void;
  /** Tells that a command goes on. Returns what tells its end. */
  follow(text: string): () => void;
  /** Shows why a command failed. */
  fail(error: unknown): void;
};

export type Submit = {
  /** Does what a person typed: `/command`, `!command for a shell`, or a message. Never throws. */
  submit(text: string): void;
  /** Cancels the commands that run. Whether there was one that was not cancelled before. */
  cancel(): boolean;
};

/** Tells commands and messages apart: a path that begins a message is none, and a name with a slash in front that nobody has is a mistake. */
export function createSubmit({ control, commands, send, follow, fail }: SubmitOptions): Submit {
  const running = new Set<AbortController>();
  let last: Promise<void> = Promise.resolve();
  const run = (typed: string, work: (signal: AbortSignal) => Promise<string | undefined>) => {
    const stop = new AbortController();
    running.add(stop);
    const over = follow(typed);
    work(stop.signal)
      .then((text) => {
        if (text !== undefined && text !== "") control.say(text);
      })
      .catch(fail)
      .finally(() => {
        running.delete(stop);
        over();
      });
  };
  const message = async (text: string) => {
    const { images, problems } = await mentionedImages(text, control.host.cwd);
    for (const problem of problems) fail(new Error(problem));
    send(text, images);
  };
  return {
    submit(text) {
      const [, name, args = ""] = /^\/([A-Za-z0-9][\w-]*(?::[\w-]+)?)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
      const shell = /^!\s*(\S[\s\S]*)$/.exec(text.trim())?.[1];
      if (shell !== undefined) return run(text.trim(), (signal) => runShell(shell, control, signal));
      if (name === undefined) {
        // In the order in which they were typed, however long images take.
        last = last.then(() => message(text)).catch(fail);
        return;
      }
      const command = commands.find(name);
      if (command === undefined) return fail(unknownCommand(name, commands));
      run(text.trim(), (signal) => command.run(args, control, signal));
    },
    cancel() {
      const going = [...running].filter(({ signal }) => !signal.aborted);
      for (const stop of going) stop.abort(new MortiseError("cancelled"));
      return going.length > 0;
    },
  };
}

function unknownCommand(name: string, commands: Commands): Error {
  const close = commands.close(name).map((each) => `/${each}`);
  const meant = close.length === 0 ? "" : ` Did you mean ${close.join(" or ")}?`;
  return new Error(`There is no command /${name}.${meant} /help lists them. To send this to the model, put a word in front.`);
}

import { type Answer, type Command, commandOf, type Word } from "./command.ts";
import { doubt } from "./doubts.ts";
import { openCommand } from "./open.ts";
import { readTree } from "./read.ts";
import { roughCommands } from "./rough.ts";
import type { Tree } from "./tree.ts";

/** Text for a shell in text for a shell, so deep. */
const MAX_NESTED = 6;

/** Every command that bash text would run. `parse` answers undefined where it took too long. */
export function commandsOf(source: string, parse: (text: string) => Tree | undefined): Answer {
  const commands: Command[] = [];
  let forced: string | undefined;
  let unparseable: string | undefined;
  const force = (why: string) => {
    forced ??= why;
  };

  function read(text: string, depth: number): void {
    const add = (command: Command, input?: Word, opened = 0): void => {
      commands.push(command);
      if (opened > MAX_NESTED) force("wrappers in wrappers");
      else openCommand(command, input, { force, text: inner, command: (next, given) => add(next, given, opened + 1) });
    };
    const inner = (word: Word, why: string) => {
      force(why);
      if (depth < MAX_NESTED) read(word.text, depth + 1);
    };
    const tree = parse(text);
    const doubted = tree === undefined ? "it takes too long to parse" : doubt(tree, text);
    const rough = doubted === undefined ? undefined : roughCommands(text);
    if (tree !== undefined) {
      const isBody = (node: Tree) => rough?.bodies.some(([start, end]) => node.start >= start && node.start < end) === true;
      readTree(tree, text, { add, force, text: inner, isBody });
    }
    if (doubted === undefined || rough === undefined) return;
    unparseable ??= doubted;
    for (const argv of rough.commands) add(commandOf(argv));
  }

  read(source, 0);
  const reason = unparseable ?? forced;
  return {
    commands: unparseable === undefined ? commands : distinct(commands),
    forcePrompt: reason !== undefined,
    unparseable: unparseable !== undefined,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The tree and the rough reading mostly find the same. */
function distinct(commands: readonly Command[]): Command[] {
  const seen = new Map<string, Command>();
  for (const command of commands) {
    const key = JSON.stringify([command.argv.map((word) => word.text), command.redirects, command.assignments]);
    if (!seen.has(key)) seen.set(key, command);
  }
  return [...seen.values()];
}

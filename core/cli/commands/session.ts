import { Command } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import type { SessionInfo } from "../../session/list-sessions.ts";
import type { Sessions } from "../../session/sessions.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, refuseWords, withExamples } from "../help.ts";

type ListOptions = { json?: true; global?: true; cwd?: string };
type ShowOptions = { json?: true };

/** Lines of a result that `show` prints. */
const SHOWN_LINES = 10;

export function sessionCommand(run: Run): Command {
  const command = new Command("session")
    .summary("list, read, export and delete sessions")
    .description("Lists, reads, exports and deletes what agents did: their sessions.")
    .usage("list | show <id> | export <id> | delete <id>")
    .allowExcessArguments()
    .action((_options: unknown, self: Command) => {
      if (self.args.length === 0) self.error("error: missing a command: list, show, export or delete");
      refuseWords(self, self.args);
    });
  command.addCommand(
    withExamples(
      new Command("list")
        .description("Lists the sessions of a folder, newest first.")
        .option("--global", "those of all folders")
        .option("--cwd <folder>", "of this folder, unless it is the current one")
        .option("--json", "print JSON")
        .action((options: ListOptions) => run((cli) => list(options, cli))),
      [
        ["session list", "those of this folder"],
        ["session list --global --json", "all, for a program"],
      ],
    ),
  );
  command.addCommand(
    withExamples(
      new Command("show")
        .description("Shows a session to read, with the beginnings of long results.")
        .argument("<id>", "its id, or the beginning of it")
        .option("--json", "print JSON")
        .action((id: string, options: ShowOptions) => run((cli) => show(id, options, SHOWN_LINES, cli))),
      [["session show 1BvAW", "the session whose id begins so"]],
    ),
  );
  command.addCommand(
    withExamples(
      new Command("export")
        .description("Prints a whole session as Markdown or JSON, without the bytes of images.")
        .argument("<id>", "its id, or the beginning of it")
        .option("--json", "print JSON")
        .action((id: string, options: ShowOptions) => run((cli) => show(id, options, undefined, cli))),
      [
        ["session export 1BvAW > session.md", "to send to somebody"],
        ["session export 1BvAW --json", "for a program"],
      ],
    ),
  );
  command.addCommand(
    withExamples(
      new Command("delete")
        .description("Deletes a session, with its archives, the trace of its calls and the long texts they left.")
        .argument("<id>", "its id, or the beginning of it")
        .option("-f, --force", "do not ask")
        .option("--json", "print JSON")
        .action((id: string, options: { force?: true; json?: true }) => run((cli) => remove(id, options, cli))),
      [["session delete 1BvAW", "asks first"]],
    ),
  );
  return withExamples(command, [
    ["session list", "what was done in this folder"],
    ["session show 1BvAW", "one of them, to read"],
  ]);
}

async function list(options: ListOptions, cli: Cli): Promise<number> {
  const [{ sessions }, { folderOf }, { visibleLine }, { tableOf }] = await Promise.all([
    open(),
    import("../cwd.ts"),
    import("../visible.ts"),
    import("../table.ts"),
  ]);
  const found = await sessions.list(options.global ? undefined : await folderOf(options.cwd));
  if (options.json) {
    await cli.stdio.json(found);
    return exits.ok;
  }
  if (found.length === 0)
    cli.stdio.say(options.global ? "There are no sessions yet." : "There are no sessions of this folder. `--global` shows all.");
  const { paint } = cli.stdio;
  const rows = found.map((info: SessionInfo) => [
    info.id,
    paint("dim", localTime(info.updated)),
    visibleLine(info.ended),
    ...(options.global ? [visibleLine(info.cwd)] : []),
    visibleLine(info.title),
  ]);
  for (const line of tableOf(rows)) await cli.stdio.write(`${line}\n`);
  return exits.ok;
}

/** As people write it where this runs, to the minute. */
function localTime(iso: string): string {
  return new Date(iso).toLocaleString("sv").slice(0, 16);
}

async function show(wanted: string, options: ShowOptions, lines: number | undefined, cli: Cli): Promise<number> {
  const [{ sessions, find }, { jsonOfSession, markdownOfSession }] = await Promise.all([open(), import("../../session/export-session.ts")]);
  const stored = await sessions.read(await find(wanted));
  if (options.json) await cli.stdio.json(jsonOfSession(stored));
  else await cli.stdio.write(markdownOfSession(stored, lines));
  return exits.ok;
}

async function remove(wanted: string, options: { force?: true; json?: true }, cli: Cli): Promise<number> {
  const { sessions, find } = await open();
  const id = await find(wanted);
  if (!options.force) {
    if (!cli.stdio.interactive) throw new MortiseError("usage", { seen: "nobody can be asked here; `--force` deletes without asking" });
    const [{ createQuestions }, { visibleLine }, { state }] = await Promise.all([
      import("../question.ts"),
      import("../visible.ts"),
      sessions.read(id),
    ]);
    const answer = await createQuestions().choose(
      `Delete "${visibleLine(state.title)}" (${id}, ${state.messages.length} messages)?`,
      [
        { value: "no", label: "No" },
        { value: "yes", label: "Yes, it cannot be brought back" },
      ],
      cli.aborted,
    );
    if (answer !== "yes") {
      cli.stdio.say("Nothing was deleted.");
      return exits.permission;
    }
  }
  await sessions.remove(id);
  if (options.json) await cli.stdio.json({ deleted: id });
  else cli.stdio.say(`Deleted ${id}.`);
  return exits.ok;
}

async function open(): Promise<{ sessions: Sessions; find(wanted: string): Promise<string> }> {
  const [{ createSessions }, { sessionIds }, { userFolders }] = await Promise.all([
    import("../../session/sessions.ts"),
    import("../../session/list-sessions.ts"),
    import("../../config/folders.ts"),
  ]);
  const { state } = userFolders();
  return {
    sessions: createSessions(state),
    find: async (wanted) => chosen(wanted, await sessionIds(state)),
  };
}

/** The id that is given, or the only one that begins so. Throws `no_session`, `usage` where there are several. */
function chosen(wanted: string, ids: readonly string[]): string {
  const [first, second] = wanted === "" ? [] : ids.filter((id) => id.startsWith(wanted));
  if (ids.includes(wanted)) return wanted;
  if (first === undefined) throw new MortiseError("no_session", { seen: JSON.stringify(wanted) });
  if (second !== undefined) throw new MortiseError("usage", { seen: `several sessions begin with ${JSON.stringify(wanted)}` });
  return first;
}

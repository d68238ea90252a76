import { Command } from "commander";
import type { Folders, Project } from "../../config/folders.ts";
import type { Trust } from "../../config/trust.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, refuseWords, withExamples } from "../help.ts";

type TrustOptions = { json?: true; yes?: true };

export function trustCommand(run: Run): Command {
  const command = new Command("trust")
    .summary("let a project's own settings and plugins count")
    .description(
      "Lets a project's own settings and plugins count. Before that only its deny rules do. Trust is for the files as they are: it is asked for again when they change.",
    )
    .usage("[options] | add [folder] | remove [folder] | list")
    .option("--cwd <folder>", "the project's folder")
    .option("--json", "print JSON")
    .allowExcessArguments()
    .action((options: TrustOptions & { cwd?: string }, self: Command) => {
      refuseWords(self, self.args);
      return run((cli) => show(options, cli));
    });
  command.addCommand(
    withExamples(
      new Command("add")
        .description("Trusts the files that a project has now.")
        .argument("[folder]", "the project, unless it is the current folder's")
        .option("--yes", "do not ask")
        .action((folder: string | undefined, options: TrustOptions) => run((cli) => add(folder, options, cli))),
      [
        ["trust add", "shows the files, and asks"],
        ["trust add ~/code/site --yes", "asks nothing"],
      ],
    ),
  );
  command.addCommand(
    withExamples(
      new Command("remove")
        .description("Trusts a project no more.")
        .argument("[folder]", "the project, unless it is the current folder's")
        .action((folder: string | undefined) => run((cli) => remove(folder, cli))),
      [["trust remove ~/code/site", "its settings and plugins count no more from the next start"]],
    ),
  );
  command.addCommand(
    withExamples(
      new Command("list")
        .description("Lists the projects that are trusted.")
        .option("--json", "print JSON")
        .action((options: TrustOptions) => run((cli) => list(options, cli))),
      [["trust list --json", "for a program"]],
    ),
  );
  return withExamples(command, [
    ["trust", "whether this project is trusted, and what changed since"],
    ["trust add", "shows its files, and asks"],
    ["trust remove", "takes it back"],
  ]);
}

async function show(options: TrustOptions & { cwd?: string }, cli: Cli): Promise<number> {
  const { project, trust } = await look(options.cwd);
  if (options.json) {
    await cli.stdio.json({ root: project.root, state: trust.state, files: [...trust.files.keys()], changes: trust.changes, refused: trust.refused });
    return exits.ok;
  }
  for (const line of await lines(project, trust)) await cli.stdio.write(`${line}\n`);
  if (trust.state === "untrusted" || trust.state === "changed") cli.stdio.say("Trust it with `mortise trust add`.");
  return exits.ok;
}

async function add(folder: string | undefined, options: TrustOptions, cli: Cli): Promise<number> {
  const { addTrust } = await import("../../config/trust.ts");
  const { project, trust, folders } = await look(folder);
  for (const line of await lines(project, trust)) cli.stdio.say(line);
  if (trust.state === "trusted") return exits.ok;
  if (trust.state === "nothing" && trust.refused.length === 0) {
    cli.stdio.say("There is nothing to trust.");
    return exits.failed;
  }
  const mayAdd = trust.state !== "nothing" && trust.refused.length === 0;
  // Where nobody can be asked, the command itself is the decision.
  if (mayAdd && !options.yes && cli.stdio.interactive && !(await agrees(cli))) {
    cli.stdio.say("Nothing was changed.");
    return exits.permission;
  }
  // What was shown is what is trusted, whatever the disk says by now.
  await addTrust(project, folders, trust);
  cli.stdio.say("It is trusted now.");
  return exits.ok;
}

async function agrees(cli: Cli): Promise<boolean> {
  const { createQuestions } = await import("../question.ts");
  const answer = await createQuestions().choose(
    "Trust these files? Its plugins may then be granted capabilities, and its rules may allow calls.",
    [
      { value: "no", label: "No" },
      { value: "yes", label: "Yes, as they are now" },
    ],
    cli.aborted,
  );
  return answer === "yes";
}

async function remove(folder: string | undefined, cli: Cli): Promise<number> {
  const { removeTrust } = await import("../../config/trust.ts");
  const { resolve } = await import("node:path");
  const { project, folders } = await look(folder, false);
  const was = (await removeTrust(project.root, folders)) || (folder !== undefined && (await removeTrust(resolve(folder), folders)));
  const { visibleLine } = await import("../visible.ts");
  cli.stdio.say(was ? `${visibleLine(project.root)} is trusted no more.` : `${visibleLine(project.root)} was not trusted.`);
  return exits.ok;
}

async function list(options: TrustOptions, cli: Cli): Promise<number> {
  const [{ listTrust }, { userFolders }, { visibleLine }] = await Promise.all([
    import("../../config/trust.ts"),
    import("../../config/folders.ts"),
    import("../visible.ts"),
  ]);
  const trusted = await listTrust(userFolders());
  if (options.json) await cli.stdio.json(trusted);
  else {
    if (trusted.length === 0) cli.stdio.say("No project is trusted.");
    for (const { root, at } of trusted) await cli.stdio.write(`${visibleLine(root)}  ${cli.stdio.paint("dim", at)}\n`);
  }
  return exits.ok;
}

async function look(folder: string | undefined, mustExist = true): Promise<{ project: Project; folders: Folders; trust: Trust }> {
  const [{ projectOf, userFolders }, { trustOf }, { folderOf }] = await Promise.all([
    import("../../config/folders.ts"),
    import("../../config/trust.ts"),
    import("../cwd.ts"),
  ]);
  const { resolve } = await import("node:path");
  const folders = userFolders();
  const project = await projectOf(mustExist ? await folderOf(folder) : resolve(folder ?? "."));
  return { project, folders, trust: await trustOf(project, folders) };
}

async function lines(project: Project, trust: Trust): Promise<string[]> {
  const [{ printChanges }, { visible, visibleLine }] = await Promise.all([import("../../config/print-changes.ts"), import("../visible.ts")]);
  const says = {
    trusted: "is trusted",
    changed: "was trusted, and changed since",
    untrusted: "is not trusted: of its settings only deny rules count",
    nothing: "has no settings and no plugins",
  }[trust.state];
  return [
    `${visibleLine(project.root)} ${says}.`,
    ...(trust.state === "changed"
      ? visible(printChanges(trust.changes)).split("\n")
      : [...trust.files.keys()].sort().map((path) => `  ${visibleLine(path)}`)),
    ...trust.refused.map((why) => `  refused: ${visibleLine(why)}`),
  ];
}

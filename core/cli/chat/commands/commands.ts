import { closeNames } from "../../../close-names.ts";
import type { ChatCommand, ChatControl } from "../chat-control.ts";
import { cost } from "./cost.ts";
import { exportSession } from "./export.ts";
import { model } from "./model.ts";
import { permissions } from "./permissions.ts";
import { continueSession, fork, newSession, sessions } from "./sessions.ts";
import { plugins, slots, tools } from "./standing.ts";
import { trace } from "./trace.ts";
import { yolo } from "./yolo.ts";

export type Commands = {
  /** Mortise's own, then those of plugins. */
  all(): ChatCommand[];
  /** By its name, in any letter case. */
  find(name: string): ChatCommand | undefined;
  /** Names that may have been meant. */
  close(name: string): string[];
};

const own = "mortise";

/** What a chat does by itself. `help` lists what there is then, so it is made with the rest. */
const builtIn: readonly ChatCommand[] = [
  model,
  {
    name: "compact",
    description: "sum up the conversation, to make room; words say what matters",
    source: own,
    run: async (args, chat) => {
      await chat.compact(args.trim());
      return undefined;
    },
  },
  newSession("new", "begin a new session"),
  newSession("clear", "the same as /new"),
  sessions,
  continueSession,
  fork,
  tools,
  slots,
  plugins,
  permissions,
  trace,
  cost,
  yolo,
  exportSession,
  ...["quit", "exit"].map(
    (name): ChatCommand => ({
      name,
      description: "leave; the session can be gone on with",
      source: own,
      run: async (_args, chat) => {
        chat.exit();
        return undefined;
      },
    }),
  ),
];

/** The commands of a chat. Where a plugin's has the name of one of Mortise's own, it goes by `<plugin>:<name>`. */
export function createCommands(control: Pick<ChatControl, "host">): Commands {
  const help: ChatCommand = { name: "help", description: "list the commands", source: own, run: async () => helpText(all()) };
  const taken = new Set([help, ...builtIn].map(({ name }) => name));
  const all = (): ChatCommand[] => [
    help,
    ...builtIn,
    ...control.host.commands().map(({ name, own: short, plugin, description }): ChatCommand => {
      const full = `${plugin}:${short}`;
      return {
        name: taken.has(name.toLowerCase()) ? full : name,
        description,
        source: plugin,
        run: (args, chat, signal) => chat.host.command(full, args, { sessionId: chat.sessionId, signal }),
      };
    }),
  ];
  return {
    all,
    find: (name) => {
      const wanted = name.toLowerCase();
      const found = all();
      return found.find((command) => command.name === name) ?? found.find((command) => command.name.toLowerCase() === wanted);
    },
    close: (name) =>
      closeNames(
        name.toLowerCase(),
        all().map((command) => command.name),
      ),
  };
}

async function helpText(all: readonly ChatCommand[]): Promise<string> {
  const [{ tableOf }, { visibleLine }] = await Promise.all([import("../../table.ts"), import("../../visible.ts")]);
  const rows = all.map(({ name, description, source }) => [
    `/${visibleLine(name)}`,
    `${visibleLine(description)}${source === own ? "" : ` (${visibleLine(source)})`}`,
  ]);
  return [...tableOf(rows), "", "!command runs a command yourself. @ completes files, and names images that are sent along."].join("\n");
}

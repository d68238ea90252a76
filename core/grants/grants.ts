import { canonicalPath } from "../capabilities/fs/canonical-path.ts";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { Folders } from "../config/folders.ts";
import type { Settings } from "../config/settings.ts";
import type { GrantQuestion } from "../host-types.ts";
import type { BuiltPlugin, Origin } from "../plugins/plugin.ts";
import { consentLines } from "./consent.ts";
import { changeGrants, type GrantEntry, readGrants, stored } from "./grant-store.ts";
import { common, isNothing, missing, nothing, printShare, type Share, shareOf, union } from "./share.ts";

/** Undefined is no answer: nothing is granted for now, and it is asked again at the next start. */
export type AskGrant = (question: GrantQuestion) => Promise<{ granted: Share["capabilities"]; steer: readonly string[] } | undefined>;

export type GrantsOptions = {
  folders: Folders;
  /** The `grants` of the user's config: each line is a person's yes. */
  lines?: Settings["grants"];
  /** Asks a person. Without it nobody is there, and what was not granted before is not granted. */
  ask?: AskGrant;
  /** Plugins of the command line are granted nothing. */
  noGrant?: boolean;
  /** What the embedding program says of the plugins it names; all they ask for unless said. */
  embedded?: true | AskGrant;
};

/** What a plugin holds, and what a person should know about that. */
export type Standing = { granted: Share["capabilities"]; steer: readonly string[]; lost?: Share; problem?: { code: string; message: string } };

export type Grants = {
  /** What a plugin is granted. Asks a person only where `mayAsk` is not false, and never throws: what cannot be told is not granted. */
  grantFor(plugin: BuiltPlugin, origin: Origin, how?: { mayAsk?: boolean }): Promise<Standing>;
  /** Stores a person's yes to all that a plugin asks for. */
  grant(plugin: BuiltPlugin): Promise<void>;
  /** Takes back what the store grants to plugins of this name: how many entries that was. A config's line is not touched. */
  revoke(name: string): Promise<number>;
  list(): Promise<GrantEntry[]>;
};

export function createGrants(options: GrantsOptions): Grants {
  const { folders } = options;

  const grantFor: Grants["grantFor"] = async (plugin, origin, { mayAsk = true } = {}) => {
    const asked = shareOf(plugin.manifest.capabilities, plugin.manifest.steer);
    if (isNothing(asked)) return standing(nothing);
    switch (origin) {
      case "builtin":
        // Installing Mortise is the grant.
        return standing(asked);
      case "command_line":
        // So is naming a file for one run.
        return options.noGrant === true ? { ...standing(nothing), problem: notGranted(plugin, asked) } : standing(asked);
      case "embedded":
        return embeddedStanding(options.embedded ?? true, plugin, asked);
      case "user":
      case "project":
        return storedStanding(plugin, origin, asked, mayAsk ? options.ask : undefined);
    }
  };

  const storedStanding = async (plugin: BuiltPlugin, origin: "user" | "project", asked: Share, ask: AskGrant | undefined): Promise<Standing> => {
    const byLine = lineShare(options.lines ?? {}, plugin.manifest.name, asked);
    try {
      const entry = (await readGrants(folders)).find(isOf(plugin));
      const counts = entry !== undefined && (entry.hash === sourceHash(plugin) || (origin === "user" && (await isUsersOwn(plugin, folders))));
      let have = union(byLine, counts ? common(asked, share(entry.granted)) : nothing);
      const answered = counts && isNothing(missing(asked, share(entry.asked)));
      if (!answered && ask !== undefined && !isNothing(missing(asked, have))) {
        const reason = entry === undefined ? "new" : counts ? "grown" : "changed";
        const answer = await ask({ ...question(plugin, origin, asked), reason }).catch(() => undefined);
        if (answer !== undefined) {
          const got = common(asked, { capabilities: answer.granted, steer: answer.steer });
          await save(plugin, asked, got);
          have = union(byLine, got);
        }
      }
      const left = missing(asked, have);
      const lost = entry === undefined ? nothing : missing(common(asked, share(entry.had)), have);
      return { ...standing(have), ...(isNothing(lost) ? {} : { lost }), ...(isNothing(left) ? {} : { problem: notGranted(plugin, left) }) };
    } catch (cause) {
      // What it had cannot be told, so a guard closes rather than opens.
      const why = cause instanceof Error ? cause.message : String(cause);
      const lost = missing(asked, byLine);
      return {
        ...standing(byLine),
        ...(isNothing(lost) ? {} : { lost }),
        problem: { code: "not_granted", message: `${plugin.manifest.name} is granted nothing by the store: ${why}` },
      };
    }
  };

  const save = (plugin: BuiltPlugin, asked: Share, granted: Share) =>
    changeGrants(folders, (entries) => {
      const old = entries.find(isOf(plugin));
      const had = old === undefined ? granted : union(share(old.had), granted);
      const entry = { plugin: plugin.manifest.name, path: plugin.path, at: new Date().toISOString(), hash: sourceHash(plugin) };
      return [...entries.filter((other) => other !== old), { ...entry, asked: stored(asked), granted: stored(granted), had: stored(had) }];
    });

  return {
    grantFor,
    grant: (plugin) => {
      const asked = shareOf(plugin.manifest.capabilities, plugin.manifest.steer);
      return save(plugin, asked, asked);
    },
    revoke: async (name) => {
      let count = 0;
      await changeGrants(folders, (entries) => {
        count = entries.filter(({ plugin }) => plugin === name).length;
        return entries.map((entry) => (entry.plugin === name ? { ...entry, granted: stored(nothing) } : entry));
      });
      return count;
    },
    list: () => readGrants(folders),
  };
}

async function embeddedStanding(embedded: true | AskGrant, plugin: BuiltPlugin, asked: Share): Promise<Standing> {
  if (embedded === true) return standing(asked);
  const answer = await embedded({ ...question(plugin, "embedded", asked), reason: "new" }).catch(() => undefined);
  const have = common(asked, { capabilities: answer?.granted ?? {}, steer: answer?.steer ?? [] });
  const left = missing(asked, have);
  return { ...standing(have), ...(isNothing(left) ? {} : { problem: notGranted(plugin, left) }) };
}

function lineShare(lines: Settings["grants"], name: string, asked: Share): Share {
  const line = Object.hasOwn(lines, name) ? lines[name] : undefined;
  if (line === undefined) return nothing;
  if (line === true) return asked;
  const { steer = [], ...capabilities } = line;
  return common(asked, shareOf(capabilities, steer));
}

function question(plugin: BuiltPlugin, origin: Origin, { capabilities, steer }: Share): GrantQuestion {
  const asks = stored({ capabilities, steer }).capabilities;
  return { plugin: plugin.manifest.name, path: plugin.path, origin, asks, steer, consent: consentLines(asks, steer) };
}

function notGranted(plugin: BuiltPlugin, left: Share): { code: string; message: string } {
  const { name } = plugin.manifest;
  return { code: "not_granted", message: `${name} asks for ${printShare(left)}, which nobody granted; \`mortise grant ${name}\` does` };
}

function standing({ capabilities, steer }: Share): Standing {
  return { granted: capabilities, steer };
}

function share({ capabilities, steer }: GrantEntry["granted"]): Share {
  return shareOf(capabilities, steer);
}

function isOf(plugin: BuiltPlugin): (entry: GrantEntry) => boolean {
  return (entry) => entry.plugin === plugin.manifest.name && entry.path === plugin.path;
}

/** Whether all that a plugin was made of lies in the user's own folder, where only the user changes it. A config may name a file anywhere. */
async function isUsersOwn({ path, inputs = [] }: BuiltPlugin, { config }: Folders): Promise<boolean> {
  const folder = await canonicalPath(config, "/").catch(() => undefined);
  return folder !== undefined && [path, ...inputs.map((input) => input.path)].every((each) => isInside(each, folder));
}

/** Content is what a person could have read, so a new version of Mortise asks nothing anew. */
function sourceHash(plugin: BuiltPlugin): string {
  return plugin.sourceHash ?? plugin.hash;
}

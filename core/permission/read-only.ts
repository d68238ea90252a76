import { canonicalPath } from "../capabilities/fs/canonical-path.ts";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { ParsedWord } from "../syntax/syntax.ts";
import type { Scope, ScopeList } from "./permission.ts";
import type { Permissions } from "./permissions.ts";
import { isSecret } from "./read-defaults.ts";
import { readsOnly } from "./read-only-programs.ts";
import { isFreeOfSecrets } from "./searched-folder.ts";

export type ReadOnlyOptions = {
  /** Whether commands that only read need no permission. Read anew for each call. */
  on(): boolean;
  /** The project's folder, canonical. */
  project: string;
};

/**
 * Permissions where commands that only read need none of their own, where that is on: rules that deny or ask still judge them.
 * Layers of `permission.prompt` are told of them in any case.
 */
export function withReadOnly(permissions: Permissions, { on, project }: ReadOnlyOptions): Permissions {
  return {
    ...permissions,
    async scopesOf(request) {
      const list = await permissions.scopesOf(request);
      if (!on()) return list;
      const reading = await readingIn(list, project);
      return { ...list, scopes: list.scopes.map((scope): Scope => (reading.has(scope) ? { ...scope, passive: true } : scope)) };
    },
    decide(request) {
      const { askLayers, list } = request;
      if (askLayers === undefined) return permissions.decide(request);
      return permissions.decide({
        ...request,
        async askLayers(prompt, person) {
          const texts = new Set(Array.from(await readingIn(list, project), ({ text }) => text));
          const scopes = prompt.scopes.map((scope) => (scope.kind === "command" && texts.has(scope.text) ? { ...scope, onlyReads: true } : scope));
          return askLayers({ ...prompt, scopes }, person);
        },
      });
    },
  };
}

/** The commands of a call that only read, and do nothing else in this call. */
async function readingIn(list: ScopeList, project: string): Promise<ReadonlySet<Scope>> {
  if (list.forcePrompt || list.unparseable || list.scopes.some((scope) => disturbs(scope, project))) return new Set();
  const reads = await Promise.all(list.scopes.map((scope) => onlyReads(scope, project)));
  return new Set(list.scopes.filter((_scope, index) => reads[index]));
}

/** What makes reading more than that: a file that is written or secret, an environment that other programs are run in, code. */
function disturbs({ kind, text, access, argv, passive, unknown }: Scope, project: string): boolean {
  if (kind === "code") return true;
  if (kind === "path") return unknown === true || (access === "write" ? !passive : isSecret(text) || !isInside(text, project));
  const [program] = argv ?? [];
  if (passive) return false;
  return program === undefined || /^\w+\+?=/.test(program.text) || CHANGERS.has(program.text);
}

/**
 * Two tables have to agree: of what programs do, and of the uses that are known to do no more than read.
 * What a program does is known of text for a shell alone, so other tools' commands never count.
 */
async function onlyReads({ kind, argv, cwds = [], does, passive, protected: isProtected }: Scope, project: string): Promise<boolean> {
  if (kind !== "command" || passive || isProtected || does !== "reads" || argv === undefined || !argv.every((word) => word.static)) return false;
  const reading = readsOnly(argv);
  if (reading === undefined || cwds.length === 0) return false;
  const { paths, searches } = reading;
  // A repository in a folder of the project may bring settings that run programs.
  if (/(?:^|\/)git$/.test(argv[0]?.text ?? "") && cwds.some((cwd) => cwd !== project)) return false;
  const all = cwds.flatMap((cwd) => [isHarmless({ text: ".", static: true }, cwd, project), ...paths.map((path) => isHarmless(path, cwd, project))]);
  if (!(await Promise.all(all)).every((harmless) => harmless)) return false;
  return !searches || (await meetsNoSecrets(paths, cwds));
}

/** Whether what a search goes through holds no secrets. */
async function meetsNoSecrets(paths: readonly ParsedWord[], cwds: readonly string[]): Promise<boolean> {
  const roots = paths.length === 0 ? ["."] : paths.map(({ text }) => text);
  for (const cwd of cwds)
    for (const root of roots) {
      const path = await canonicalPath(root, cwd).catch(() => undefined);
      if (path === undefined || !(await isFreeOfSecrets(path))) return false;
    }
  return true;
}

async function isHarmless({ text, tilde }: ParsedWord, cwd: string, project: string): Promise<boolean> {
  if (text === "/dev/null" || text === "-") return true;
  const path = await canonicalPath(tilde || !text.startsWith("~") ? text : `./${text}`, cwd).catch(() => undefined);
  return path !== undefined && isInside(path, project) && !isSecret(path);
}

/** What they do to the shell, commands behind them feel. */
const CHANGERS = new Set(
  ". alias builtin declare enable eval exec export hash local mapfile read readarray readonly set shopt source trap typeset unalias unset".split(" "),
);

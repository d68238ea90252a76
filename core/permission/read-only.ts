import { canonicalPath } from "../capabilities/fs/canonical-path.ts";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { ParsedWord } from "../syntax/syntax.ts";
import type { Scope, ScopeList } from "./permission.ts";
import type { Permissions } from "./permissions.ts";
import { isSecret } from "./read-defaults.ts";
import { readsOnly } from "./read-only-programs.ts";

export type ReadOnlyOptions = {
  /** Whether commands that only read need no permission. Read anew for each call. */
  on(): boolean;
  /** The project's folder, canonical. */
  project: string;
};

/** Permissions where commands that only read need none of their own: rules that deny or ask still judge them. */
export function withReadOnly(permissions: Permissions, { on, project }: ReadOnlyOptions): Permissions {
  return {
    ...permissions,
    async scopesOf(request) {
      const list = await permissions.scopesOf(request);
      return on() && isForShell(request.declared) ? relieved(list, project) : list;
    },
  };
}

/** Only of text for a shell the words are known to be what the program gets. */
function isForShell(declared: unknown): boolean {
  if (typeof declared !== "object" || declared === null || !("scopes" in declared) || !Array.isArray(declared.scopes)) return false;
  return declared.scopes.every((scope: unknown) => typeof scope === "object" && scope !== null && "kind" in scope && scope.kind === "shell");
}

async function relieved(list: ScopeList, project: string): Promise<ScopeList> {
  if (list.forcePrompt || list.unparseable || list.scopes.some((scope) => disturbs(scope, project))) return list;
  const free = await Promise.all(list.scopes.map((scope) => needsNothing(scope, project)));
  return { ...list, scopes: list.scopes.map((scope, index): Scope => (free[index] ? { ...scope, passive: true } : scope)) };
}

/** What makes reading more than that: a file that is written or secret, an environment that other programs are run in, code. */
function disturbs({ kind, text, access, argv, passive, unknown }: Scope, project: string): boolean {
  if (kind === "code") return true;
  if (kind === "path") return unknown === true || (access === "write" ? !passive : isSecret(text) || !isInside(text, project));
  const [program] = argv ?? [];
  if (passive) return false;
  return program === undefined || /^\w+\+?=/.test(program.text) || CHANGERS.has(program.text);
}

/** Two tables have to agree: of what programs do, and of the uses that are known to do no more than read. */
async function needsNothing({ kind, argv, cwds = [], does, passive, protected: isProtected }: Scope, project: string): Promise<boolean> {
  if (passive) return true;
  if (kind !== "command" || isProtected || does !== "reads" || argv === undefined || !argv.every((word) => word.static)) return false;
  const paths = readsOnly(argv);
  if (paths === undefined || cwds.length === 0) return false;
  const all = cwds.flatMap((cwd) => [isHarmless({ text: ".", static: true }, cwd, project), ...paths.map((path) => isHarmless(path, cwd, project))]);
  return (await Promise.all(all)).every((harmless) => harmless);
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

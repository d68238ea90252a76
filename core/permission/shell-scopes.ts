import { canonicalPath } from "../capabilities/fs/canonical-path.ts";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { ParsedCommand, ParsedWord } from "../syntax/syntax.ts";
import { isHarmless } from "./assignments.ts";
import { decidesForPerson } from "./own-commands.ts";
import type { Scope, ScopeList } from "./permission.ts";
import { namesProtected } from "./protected-words.ts";
import type { Place } from "./scopes.ts";

/** What text for a shell would do in a folder: its commands, the assignments that change them, and the files its redirects open. */
export async function shellScopes(text: string, cwd: string, place: Place): Promise<ScopeList> {
  const parsed = await place.syntax.commands(text);
  const scopes: Scope[] = [];
  const guarded = new Set<string>();
  let moved = false;
  let force = parsed.reason;
  const working = await canonicalPath(cwd, place.project).catch(() => cwd);
  if (!isInside(working, place.project)) scopes.push(await folderScope(working, place));
  for (const command of parsed.commands) {
    scopes.push(...commandScopes(command, cwd, parsed.unparseable));
    if (decidesForPerson(command.argv) || (await namesProtected(command, cwd, place.protectedPaths))) guarded.add(command.text);
    for (const redirect of command.redirects) {
      if (moved && redirect.target.static && !/^[~/]/.test(redirect.target.text)) force ??= "a file in a folder that is not known";
      scopes.push(await fileScope(redirect, cwd, place, parsed.unparseable));
    }
    for (const folder of foldersNamed(command)) {
      if (!folder.static) force ??= "a folder that is known only when it runs";
      else scopes.push(...(await outside(pathText(folder), cwd, place)));
    }
    const target = folderChange(command);
    if (target === undefined) continue;
    if (target === null || (moved && !/^[~/]/.test(target))) force ??= "a folder that is known only when it runs";
    moved = true;
    if (target === null) continue;
    if (target !== "") scopes.push(...(await outside(target, cwd, place)));
  }
  const list = {
    forcePrompt: parsed.forcePrompt || force !== undefined,
    unparseable: parsed.unparseable,
    ...(force === undefined ? {} : { reason: force }),
  };
  if (parsed.unparseable)
    return { ...list, scopes: [whole(text, scopes, guarded.size > 0), ...scopes.map((scope) => ({ ...scope, passive: true }))] };
  for (const scope of scopes) if (scope.kind === "command" && !scope.passive && guarded.has(scope.text)) scope.protected = true;
  if (scopes.length === 0) scopes.push(whole(text, [], false));
  // Where nothing needs a permission, as in `[ -f x ]`, it still is a call to be judged.
  return { ...list, scopes: scopes.every((scope) => scope.passive) ? scopes.map(({ passive: _passive, ...scope }) => scope) : scopes };
}

function commandScopes(command: ParsedCommand, cwd: string, unparseable: boolean): Scope[] {
  const { text, argv, assignments, code, passive, runner } = command;
  const scopes: Scope[] = assignments
    .map(({ name, value }): Scope => {
      const written = `${name}=${value.text}`;
      const harmless = isHarmless(name, value, argv.length === 0);
      return { kind: "command", text: written, argv: [{ text: written, static: value.static }], ...(harmless ? { passive: true } : {}) };
    })
    .filter((scope) => !scope.passive || argv.length === 0);
  if (argv.length > 0) {
    scopes.push({ kind: "command", text, argv, cwd, ...(passive || unparseable ? { passive: true } : {}), ...(runner ? { runner } : {}) });
  }
  return [...scopes, ...code.map((word): Scope => ({ kind: "code", text: word.text }))];
}

/** A file that is read needs no permission of its own; rules that deny see it. */
async function fileScope({ access, target }: ParsedCommand["redirects"][number], cwd: string, place: Place, unparseable: boolean): Promise<Scope> {
  const path = pathText(target);
  const canonical = target.static ? await canonicalPath(path, cwd).catch(() => undefined) : undefined;
  const isProtected = await place.protectedPaths.isProtected(path, cwd, access);
  return {
    kind: "path",
    text: canonical ?? path,
    access,
    shell: true,
    ...(access === "read" || unparseable ? { passive: true } : {}),
    ...(isProtected ? { protected: true } : {}),
  };
}

/** The folder a command goes to; empty for none that is named, null where it is known only when it runs. */
function folderChange({ argv }: ParsedCommand): string | null | undefined {
  const [program, ...words] = argv;
  if (program === undefined || !MOVERS.has(program.text)) return undefined;
  if (words.some((word) => !word.static)) return null;
  const target = words.find((word, at) => !/^-[LPe@n]+$/.test(word.text) && !(at === 0 && word.text === "--"));
  if (target === undefined) return program.text === "cd" ? "~" : "";
  return /^[-+]\d*$/.test(target.text) ? "" : pathText(target);
}

/** Folders that a program is told to work in. */
function foldersNamed({ argv }: ParsedCommand): ParsedWord[] {
  const name = argv[0]?.text;
  return name === "git" || name === "make" ? argv.filter((_word, at) => argv[at - 1]?.text === "-C") : [];
}

const MOVERS = new Set(["cd", "pushd", "popd", "chdir"]);

function pathText(word: ParsedWord): string {
  return word.tilde || !word.text.startsWith("~") ? word.text : `./${word.text}`;
}

async function outside(path: string, cwd: string, place: Place): Promise<Scope[]> {
  const folder = await canonicalPath(path, cwd).catch(() => path);
  return isInside(folder, place.project) ? [] : [await folderScope(folder, place)];
}

async function folderScope(folder: string, { protectedPaths }: Place): Promise<Scope> {
  const isProtected = await protectedPaths.isProtected(folder, "/", "write");
  return { kind: "path", text: folder, access: "write", shell: true, ...(isProtected ? { protected: true } : {}) };
}

/** Text that is not understood is asked about as a whole. */
function whole(text: string, found: readonly Scope[], guarded: boolean): Scope {
  return { kind: "command", text: text.trim(), ...(guarded || found.some((scope) => scope.protected) ? { protected: true } : {}) };
}

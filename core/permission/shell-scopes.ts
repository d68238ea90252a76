import { isInside } from "../capabilities/fs/path-scope.ts";
import type { ParsedCommand, ParsedFile } from "../syntax/syntax.ts";
import { decidesForPerson } from "./own-commands.ts";
import type { Scope, ScopeList } from "./permission.ts";
import { namesProtected } from "./protected-words.ts";
import type { Place } from "./scopes.ts";

/** What text for a shell would do in a folder: its commands, the assignments that change them, and the files it opens and writes. */
export async function shellScopes(text: string, cwd: string, place: Place): Promise<ScopeList> {
  const { commands, forcePrompt, unparseable, unresolved, reason } = await place.syntax.understand(text, cwd);
  const scopes: Scope[] = [];
  const known = new Set<string>();
  let guarded = false;
  const add = (...found: readonly Scope[]) => {
    for (const scope of found) {
      // One file may be named a thousand times.
      const key = scope.kind === "path" ? `${scope.access} ${scope.own ?? ""} ${scope.passive ?? ""} ${scope.below ?? ""} ${scope.text}` : undefined;
      if (key !== undefined && known.has(key)) continue;
      if (key !== undefined) known.add(key);
      scopes.push(unparseable ? { ...scope, passive: true } : scope);
    }
  };
  const working = place.real(cwd, place.project) ?? cwd;
  if (!isInside(working, place.project)) add(folderScope(working, place));
  for (const command of commands) {
    const own = decidesForPerson(command.argv) || namesProtected(command, working, place.protectedPaths);
    guarded ||= own;
    add(...commandScopes(command, own));
    const said = new Set(command.argv.map((word) => word.text));
    for (const file of command.files) add(...fileScopes(file, place).filter((scope) => !scope.passive || file.redirect || !said.has(file.text)));
    for (const url of command.urls) add({ kind: "url", text: URL.canParse(url) ? new URL(url).href : url, passive: true });
  }
  const list = { forcePrompt, unparseable, ...(reason === undefined ? {} : { reason, unresolved }) };
  if (unparseable) return { ...list, scopes: [whole(text, guarded || scopes.some((scope) => scope.protected === true)), ...scopes] };
  if (scopes.length === 0) scopes.push(whole(text, false));
  // Where nothing needs a permission, as in `[ -f x ]`, it still is a call to be judged.
  return { ...list, scopes: scopes.every((scope) => scope.passive) ? scopes.map(({ passive: _passive, ...scope }) => scope) : scopes };
}

function commandScopes(command: ParsedCommand, guarded: boolean): Scope[] {
  const { text, argv, assignments, code, passive, guessed, runner, cwd, subject, keeps, within, does, via } = command;
  const alone = argv.length === 0;
  const scopes: Scope[] = assignments
    .map(({ name, value, harmless, steers }): Scope => {
      const written = `${name}=${value.text}`;
      // Alone it stays in the shell, unless programs look at it.
      const free = alone ? !steers : (harmless && (value.static || value.values !== undefined)) || (name === "IFS" && value.static);
      return { kind: "command", text: written, argv: [{ text: written, static: value.static }], ...(free ? { passive: true } : {}) };
    })
    .filter((scope) => !scope.passive || alone);
  if (!alone) {
    scopes.push({
      kind: "command",
      text,
      argv,
      does,
      ...(cwd === undefined ? {} : { cwds: cwd, ...(cwd.length === 1 ? { cwd: cwd[0]! } : {}) }),
      ...(subject === undefined ? {} : { subject }),
      ...(keeps === undefined ? {} : { keeps }),
      ...(within.length === 0 ? {} : { within }),
      ...(passive ? { passive: true } : {}),
      ...(guessed ? { guessed } : {}),
      ...(runner ? { runner } : {}),
      ...(via.length === 0 ? {} : { via }),
      ...(guarded ? { protected: true } : {}),
    });
  }
  return [...scopes, ...code.map((word): Scope => ({ kind: "code", text: word.text }))];
}

function fileScopes(file: ParsedFile, place: Place): Scope[] {
  const { access, text, paths, own, below, folder, redirect } = file;
  const kind = { kind: "path" as const, access, shell: true };
  if (paths === undefined) {
    // Which file is read is for rules that deny, and those have the command's words.
    if (access === "read") return [];
    return [
      { ...kind, text, unknown: true, ...(place.protectedPaths.isProtected(text, place.project, access) && redirect ? { protected: true } : {}) },
    ];
  }
  return paths.flatMap((path): Scope[] => {
    const canonical = place.real(path, "/");
    const isProtected = place.protectedPaths.isProtected(path, "/", access);
    if (folder) return canonical !== undefined && isInside(canonical, place.project) ? [] : [{ ...folderScope(canonical ?? path, place) }];
    const free = access === "read" && !isProtected && !(canonical !== undefined && place.isSecret(canonical));
    return [
      {
        ...kind,
        text: canonical ?? path,
        ...(own && access === "write" ? { own } : {}),
        ...(below ? { below } : {}),
        ...(free ? { passive: true } : {}),
        ...(isProtected ? { protected: true } : {}),
      },
    ];
  });
}

function folderScope(folder: string, { protectedPaths }: Place): Scope {
  const isProtected = protectedPaths.isProtected(folder, "/", "write");
  return { kind: "path", text: folder, access: "write", shell: true, ...(isProtected ? { protected: true } : {}) };
}

/** Text that is not understood is asked about as a whole. */
function whole(text: string, guarded: boolean): Scope {
  return { kind: "command", text: text.trim(), ...(guarded ? { protected: true } : {}) };
}

import { archives } from "./archives.ts";
import { buildTools } from "./build-tools.ts";
import { builtins } from "./builtins.ts";
import { checks } from "./checks.ts";
import { clusters } from "./clusters.ts";
import { compilers } from "./compilers.ts";
import { containers } from "./containers.ts";
import { converters } from "./converters.ts";
import { databases } from "./databases.ts";
import { files } from "./files.ts";
import { finders } from "./find.ts";
import { forges } from "./forges.ts";
import { git } from "./git.ts";
import { interpreterNamed } from "./interpreters.ts";
import { javascript } from "./javascript.ts";
import { launchers } from "./launchers.ts";
import { network } from "./network.ts";
import { packages } from "./packages.ts";
import { probes } from "./probes.ts";
import type { Program } from "./program.ts";
import { python } from "./python.ts";
import { sessions } from "./sessions.ts";
import { shells } from "./shells.ts";
import { system } from "./system.ts";
import { text } from "./text.ts";
import { wrappers } from "./wrappers.ts";

/** What is known of programs, by theme. A name stands in one of them. */
export const themes: Readonly<Record<string, Readonly<Record<string, Program>>>> = {
  builtins,
  shells,
  wrappers,
  launchers,
  files,
  text,
  converters,
  finders,
  archives,
  network,
  probes,
  versions: { git },
  forges,
  packages,
  javascript,
  python,
  containers,
  clusters,
  buildTools,
  compilers,
  checks,
  system,
  sessions,
  databases,
};

const all = new Map<string, Program>(Object.values(themes).flatMap((theme) => Object.entries(theme)));

const GNU =
  /^g(?:base64|cat|chmod|chown|chroot|cp|cut|date|dd|df|dircolors|du|echo|egrep|env|expr|fgrep|find|fold|grep|head|install|join|kill|ln|ls|make|md5sum|mkdir|mv|nice|nl|nohup|od|paste|printf|pwd|readlink|realpath|rm|rmdir|sed|seq|sha256sum|shred|shuf|sleep|sort|split|stat|stdbuf|sync|tac|tail|tar|tee|test|time|timeout|touch|tr|truncate|uname|uniq|wc|which|xargs)$/;

/** What is known of a program by its base name; undefined where nothing is. */
export function programNamed(name: string): Program | undefined {
  const known = all.get(name) ?? interpreterNamed(name);
  if (known !== undefined) return known;
  // The loader of libraries runs the program that it is given.
  if (/^ld(?:-[\w.-]+)?\.so(?:\.\d+)?$|^ld-linux[\w.-]*$/.test(name))
    return {
      does: "runs",
      runner: true,
      stops: true,
      options: "--library-path: --preload:a --audit:a --argv0: --list --verify",
      operands: "command",
    };
  // What macOS calls the programs of GNU.
  if (GNU.test(name)) return all.get(name.slice(1));
  // `python3.12`, `gcc-13`, `clang++-17`
  const bare = /^([a-z+]+)-\d[\d.]*$/.exec(name)?.[1];
  return bare === undefined ? undefined : all.get(bare);
}

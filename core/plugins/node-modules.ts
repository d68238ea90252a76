import { builtinModules } from "node:module";

const instead: readonly [names: RegExp, use: string][] = [
  [/^fs|^path\/?/, "`api.fs` with the capabilities fs_read and fs_write"],
  [/^child_process|^cluster|^worker_threads/, "`api.run` with the capability run"],
  [/^https?|^http2|^net|^tls|^dgram|^dns|^undici/, "`api.net.fetch` with the capability net"],
  [/^process|^os/, "`api.env.get` with the capability env, and the definition's options"],
  [/^crypto/, "the global `crypto.randomUUID`"],
  [/^timers/, "the global timers"],
  [/^url|^querystring/, "the global `URL`"],
  [/^buffer|^string_decoder|^util/, "the globals `TextEncoder` and `TextDecoder`"],
];

/** A module name that Node would answer itself. */
export const nodeModuleName = /^(node|bun|deno):/;

export function isNodeModule(name: string): boolean {
  return nodeModuleName.test(name) || builtinModules.includes(name.split("/")[0] ?? name);
}

/** What to say of an import of one. */
export function saysNoNodeModule(name: string): string {
  const bare = name.replace(nodeModuleName, "");
  const use = instead.find(([names]) => names.test(bare))?.[1];
  return `plugins have no Node modules, so ${JSON.stringify(name)} is not there; ${use === undefined ? "`api` has what a plugin may use" : `use ${use}`}`;
}

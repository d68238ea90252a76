import { isSecret, secretNames } from "../permission/read-defaults.ts";
import type { Capabilities, CapabilitiesHost } from "./capabilities.ts";
import { envMethods } from "./env.ts";
import { fsMethods } from "./fs/fs-methods.ts";
import { createReadable } from "./fs/readable.ts";
import { gated, requireGrant } from "./granted.ts";
import { netMethods } from "./net/net-methods.ts";
import { createJobs } from "./run/jobs.ts";
import { runMethods } from "./run/run-methods.ts";
import { createRipgrep } from "./search/ripgrep.ts";
import { searchMethods } from "./search/search-methods.ts";
import { projectStoreFolder, storeMethods } from "./store.ts";

const limits = { hardBytes: 256 * 1024 * 1024, graceMs: 1_000 };

/** Everything that plugin code can have done outside its isolate. Each method checks the caller's grant first. */
export function createCapabilities(host: CapabilitiesHost): Capabilities {
  const jobs = createJobs(limits);
  const readable = createReadable(host);
  const ripgrep = createRipgrep();
  const leftOut = host.leftOut ?? (() => (path: string) => (isSecret(path) ? "asked" : undefined));
  return {
    methods: gated({
      ...fsMethods(host),
      ...searchMethods({ ...host, leftOut, secretNames }, ripgrep),
      ...runMethods(host, jobs),
      ...netMethods(host),
      ...envMethods(process.env),
      ...storeMethods(host.storeFolder),
      ...storeMethods(projectStoreFolder(host.storeFolder, host.places?.project ?? host.cwd), "projectStore"),
    }),
    toOpen: async (path, caller) => {
      requireGrant("fs.read", caller);
      return readable.toOpen(path, caller);
    },
    endCall: jobs.endCall,
    endPlugin: jobs.endPlugin,
    endSession: jobs.endSession,
    partial: jobs.partial,
    close: async () => {
      await Promise.all([jobs.close(), ripgrep.close()]);
    },
    killNow: () => {
      jobs.killNow();
      ripgrep.killNow();
    },
  };
}

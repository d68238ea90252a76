import { randomUUID } from "node:crypto";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller, Capabilities, CapabilitiesHost, Granted } from "../../core/capabilities/capabilities.ts";
import { createCapabilities } from "../../core/capabilities/create-capabilities.ts";

export type Bench = {
  /** Canonical. */
  folder: string;
  capabilities: Capabilities;
  call(method: string, ...args: unknown[]): Promise<unknown>;
  /** The same methods, asked for by another plugin, with another grant, or in a tool call. */
  as(
    caller: Partial<Omit<Caller, "call">> & { call?: Partial<NonNullable<Caller["call"]>> },
  ): (method: string, ...args: unknown[]) => Promise<unknown>;
  close(): Promise<void>;
};

const all: Granted = { fs_read: true, fs_write: true, net: true, run: true, env: true };

/** Capabilities over a folder of their own, with a plugin that was granted everything. */
export async function bench(host: Partial<CapabilitiesHost> = {}): Promise<Bench> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
  const capabilities = createCapabilities({
    cwd: folder,
    storeFolder: join(folder, "stores"),
    allowedPrivateHosts: [],
    passSecrets: [],
    commandAllowed: async () => false,
    ...host,
  });
  const as: Bench["as"] = ({ plugin = "probe", granted = all, call }) => {
    const caller: Caller = {
      plugin,
      granted,
      call:
        call === undefined
          ? null
          : { toolId: randomUUID(), sessionId: "session", signal: new AbortController().signal, cwd: host.cwd ?? folder, live: () => {}, ...call },
    };
    return async (method, ...args) => capabilities.methods[method]?.(args, caller);
  };
  return {
    folder,
    capabilities,
    as,
    call: as({}),
    async close() {
      await capabilities.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, vi } from "vitest";
import { createAgent } from "../../../../core/agent/agent.ts";
import type { ChatControl } from "../../../../core/cli/chat/chat-control.ts";
import { createHost } from "../../../../core/host.ts";
import type { HostOptions } from "../../../../core/host-types.ts";
import { createChaos } from "../../../../core/models/embedded/chaos/chaos.ts";
import { createSessions } from "../../../../core/session/sessions.ts";
import { modelOf } from "../../agent/agent-with.ts";

export type Chat = { control: ChatControl; folder: string; state: string; said: string[]; did: unknown[][] };

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
  vi.unstubAllEnvs();
});

/** A chat without a screen: a real host, agent and session, in folders of its own. */
export async function chatWith(options: HostOptions = {}): Promise<Chat> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "mortise-chat-")));
  undo.push(() => rm(base, { recursive: true, force: true }));
  const state = join(base, "state");
  vi.stubEnv("MORTISE_STATE_HOME", state);
  vi.stubEnv("MORTISE_CONFIG_HOME", join(base, "config"));
  const folder = await mkdtemp(join(base, "project-"));
  const session = await createSessions(state).create({ model: "embedded/chaos", backend: "ai-sdk", cwd: folder });
  undo.push(() => session.close());
  const host = await createHost({ cwd: folder, stateFolder: state, spare: false, builtins: false, sessionId: session.id, ...options });
  undo.push(() => host.close());
  const agent = createAgent({
    host,
    model: modelOf(createChaos([])),
    journal: session,
    sessionId: session.id,
    openModel: async (id) => modelOf(createChaos([]), { id }),
  });
  undo.push(() => agent.close());
  const said: string[] = [];
  const did: unknown[][] = [];
  let isYolo = false;
  const control: ChatControl = {
    host,
    agent,
    sessionId: session.id,
    session,
    yolo: {
      isOn: () => isYolo,
      set(on) {
        isYolo = on;
      },
    },
    say: (text) => void said.push(text),
    send: (text) => void did.push(["send", text]),
    newSession: async () => void did.push(["new"]),
    openSession: async (id) => void did.push(["open", id]),
    setModel: (spec) => agent.setModel(spec),
    compact: async (words) => void did.push(["compact", words]),
    exit: () => void did.push(["exit"]),
    clear: () => void did.push(["clear"]),
  };
  return { control, folder, state, said, did };
}

import { AsyncParallelHook, HookMap } from "tapable";

export type Data = Record<string, unknown>;
export type Listener = (data: Data) => void | Promise<void>;

/** What the embedding program listens with. */
export type Programs = {
  on(event: string, listener: Listener): () => void;
  listensTo(event: string): boolean;
  /** Resolves when every listener has answered. Each gets data of its own, and one that fails harms nobody. */
  tell(event: string, data: Data): Promise<void>;
};

export function createPrograms(onFailure: (event: string, error: unknown) => void): Programs {
  const hooks = new HookMap<AsyncParallelHook<[Data]>>(() => new AsyncParallelHook(["data"]));
  const listening = new Map<string, Set<{ listener: Listener }>>();

  const call = async (event: string, listener: Listener, data: Data): Promise<void> => {
    try {
      await listener(copyOf(data));
    } catch (error) {
      onFailure(event, error);
    }
  };

  /** A tap cannot be taken back, so each event has one, for as many listeners as there are. */
  const listeners = (event: string): Set<{ listener: Listener }> => {
    const known = listening.get(event);
    if (known !== undefined) return known;
    const made = new Set<{ listener: Listener }>();
    listening.set(event, made);
    hooks.for(event).tapPromise("program", async (data) => {
      await Promise.all([...made].map(({ listener }) => call(event, listener, data)));
    });
    return made;
  };

  return {
    on(event, listener) {
      const entry = { listener };
      listeners(event).add(entry);
      return () => void listeners(event).delete(entry);
    },
    listensTo: (event) => (listening.get(event)?.size ?? 0) > 0,
    tell: async (event, data) => hooks.get(event)?.promise(data),
  };
}

/** Data is JSON; what is nested too deeply to be copied is as it is. */
export function copyOf(data: Data): Data {
  try {
    return structuredClone(data);
  } catch {
    return data;
  }
}

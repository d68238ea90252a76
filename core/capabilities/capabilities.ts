import type { Capability } from "../../sdk/contract.ts";
import type { Packed } from "../../sdk/wire.ts";

/** What a person granted a plugin: `true` for all of a capability, or scopes. */
export type Granted = Partial<Record<Capability, true | readonly string[]>>;

/** Who asks, and for which call. */
export type Caller = {
  plugin: string;
  granted: Granted;
  /** Null outside tool calls: setup, timers, autocmds. */
  call: {
    toolId: string;
    sessionId: string;
    signal: AbortSignal;
    cwd: string;
    live(text: string): void;
    running?: RunningTool;
    /** Keeps a text for the answer of the tool that runs; undefined where there is too much already. */
    hold?(parts: readonly string[]): string | undefined;
  } | null;
};

/** The tool whose own code asks, for the rules that judge it. */
export type RunningTool = {
  tool: string;
  yolo?: boolean;
  /** Where paths led when the call was permitted, canonical, by what the tool named them. */
  permitted?: ReadonlyMap<string, string>;
};

/** What the rules for a tool say of a URL. `uncovered` where none decides. */
export type UrlVerdict = "allow" | "ask" | "deny" | "uncovered";

/** One method of the plugin API. Arguments come as sent and are parsed here; throws MortiseError. */
export type Method = (args: unknown[], caller: Caller) => Promise<unknown>;

/** All methods of `sdk/api.ts` that the host answers, by name as `fs.read`. */
export type Methods = Readonly<Record<string, Method>>;

export type CapabilitiesHost = {
  cwd: string;
  /** Folder of the plugins' private stores. */
  storeFolder: string;
  /** What `fs.places` tells; the project is also what `projectStore` is apart for. Both are about `cwd` unless said. */
  places?: { project: string; trusted: boolean; user: string; home: string };
  /** Folders that no plugin may write in, besides the user's own Mortise folders and every `.mortise`. */
  protectedFolders?: readonly string[];
  /** Folder of the locks by which processes that replace one file wait for each other; they do not unless said. */
  locks?: string;
  /** Hosts and networks the user allows `net` to reach though they are private: `localhost:8080`, `10.0.0.0/8`. */
  allowedPrivateHosts: readonly string[];
  /** Judges a URL that a tool is about to fetch by the rules for it; nothing is known of one unless said. */
  judgeUrl?(url: string, running: RunningTool, sessionId: string): Promise<UrlVerdict>;
  /** Secret variables that children get all the same, by name. */
  passSecrets: readonly string[];
  /** Judges a program against `run` scopes of a grant, as the permission of a command does. */
  commandAllowed(argv: readonly string[], scopes: readonly string[]): Promise<boolean>;
  /** Says which files below a folder a search of it leaves out, by rules that deny or ask. Where it is left out, secrets are. */
  leftOut?(request: { tool: string | null; sessionId: string | null; folder: string }): (canonical: string) => "denied" | "asked" | undefined;
};

export type Capabilities = {
  methods: Methods;
  /** The canonical path of a file that the caller may read, to be opened by `openToRead`. Throws `not_granted` for others. */
  toOpen(path: string, caller: Caller): Promise<string>;
  /** Ends what a call started (`task`), when it is over. */
  endCall(toolId: string): Promise<void>;
  endPlugin(plugin: string): Promise<void>;
  endSession(sessionId: string): Promise<void>;
  /** The output that jobs of a call gave so far, of one plugin where that is said: what is left of a call whose tool was lost. */
  partial(toolId: string, plugin?: string): { text: string; droppedBytes: number } | undefined;
  /** Ends every job with all its processes. */
  close(): Promise<void>;
  /** The same at once and without waiting, for a process that exits now. */
  killNow(): void;
};

export type { Packed };

import type { Manifest } from "../../sdk/wire.ts";
import type { Granted } from "../capabilities/capabilities.ts";

/** Where a plugin came from. It decides who has to say yes, and when again. */
export type Origin = "builtin" | "user" | "project" | "command_line" | "embedded";

/** A plugin that is bundled and described, not yet part of a host. */
export type BuiltPlugin = {
  /** The entry file, absolute; or the name given to inline source. */
  path: string;
  code: string;
  manifest: Manifest;
  /** Over source, options and SDK version. */
  hash: string;
  /** Over the source alone; `hash` stands for it where it is left out. */
  sourceHash?: string;
  /** The files that were bundled, absolute, with the SHA-256 of what they held. */
  inputs?: readonly { path: string; hash: string }[];
};

export type LoadedPlugin = BuiltPlugin & {
  name: string;
  origin: Origin;
  granted: Granted;
  /** Slots of `steer` that a person granted. */
  steer: readonly string[];
  /** In load order; later ones are outer. */
  order: number;
  /** Set where the newest version did not load: guards of the last good manifest go on, by its policy. */
  failed: { code: string; message: string } | null;
  options: Readonly<Record<string, string | number | boolean>>;
  /** What a person once granted and took back, or what a change of content cost it: guards that need it close. */
  lost?: { capabilities: Granted; steer: readonly string[] };
};

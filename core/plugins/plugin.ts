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
};

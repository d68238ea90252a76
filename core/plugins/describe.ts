import { autocmds } from "../../sdk/contract.ts";
import { MortiseError } from "../../sdk/errors.ts";
import type { Manifest } from "../../sdk/wire.ts";
import { quoteWithClose } from "../close-names.ts";
import type { Options } from "../config/settings.ts";
import type { Isolates } from "../isolate/isolates.ts";
import { quoteSlot } from "./slot-name.ts";
import { checkToolSchemas } from "./tool-schemas.ts";

/** Describes a bundle in an isolate. Names that its prelude refuses are answered with the close ones; schemas that are none are refused here. */
export async function describePlugin(isolates: Pick<Isolates, "describe">, code: string, options?: Options): Promise<Manifest> {
  try {
    const manifest = await isolates.describe(code, options);
    checkToolSchemas(manifest);
    return manifest;
  } catch (cause) {
    if (!(cause instanceof MortiseError)) throw cause;
    const name = /^[^\s]*?(?=[.]?(\s|$))/.exec(cause.seen ?? "")?.[0] ?? "";
    if (cause.code === "unknown_slot") throw new MortiseError("unknown_slot", { seen: quoteSlot(name), cause });
    if (cause.code === "unknown_event") throw new MortiseError("unknown_event", { seen: quoteWithClose(name, Object.keys(autocmds)), cause });
    throw cause;
  }
}

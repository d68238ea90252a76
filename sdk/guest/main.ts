import { GLOBALS } from "../turn.ts";
import { type Bridge, setBridge } from "./bridge.ts";
import { installGlobals } from "./globals.ts";
import { harden } from "./harden.ts";
import { isFunction } from "./primordials.ts";
import { setTables } from "./tables.ts";
import { type Describer, setDescriber } from "./tools.ts";
import { turn } from "./turns.ts";

/**
 * The prelude of an isolate. It takes what the runner left in globals, hardens the rest, and leaves its door,
 * which the runner takes away before any plugin code runs. A describer is there only in isolates that describe.
 */
const given = globalThis as unknown as Record<string, unknown>;

setBridge(given[GLOBALS.bridge] as Bridge);
setTables(given[GLOBALS.tables] as string);
if (isFunction(given[GLOBALS.describer])) setDescriber(given[GLOBALS.describer] as Describer);
for (const name of [GLOBALS.bridge, GLOBALS.tables, GLOBALS.describer]) delete given[name];
harden();
installGlobals();
given[GLOBALS.turn] = turn;

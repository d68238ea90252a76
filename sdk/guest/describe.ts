import { toJSONSchema, type ZodMiniType } from "zod/mini";
import { GLOBALS } from "../turn.ts";

/** Evaluated before the prelude, only where a plugin is described: isolates that run plugins carry no zod. */
(globalThis as unknown as Record<string, unknown>)[GLOBALS.describer] = (schema: ZodMiniType): string => {
  const { $schema, ...rest } = toJSONSchema(schema, { target: "draft-2020-12", io: "input", unrepresentable: "any" });
  return JSON.stringify(rest);
};

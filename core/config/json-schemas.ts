import * as z from "zod/mini";
import { ConfigFile } from "./config-file.ts";
import { PermissionsFile } from "./permissions-file.ts";

/** The JSON Schemas of the settings files, for editors: text by file name. They ship in `schemas/`. */
export function jsonSchemas(): Readonly<Record<string, string>> {
  return {
    "config.schema.json": print(ConfigFile, "Mortise: config.jsonc"),
    "permissions.schema.json": print(PermissionsFile, "Mortise: permissions.jsonc"),
  };
}

function print(schema: z.core.$ZodType, title: string): string {
  const { $schema, ...rest } = z.toJSONSchema(schema);
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

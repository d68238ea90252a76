import { Ajv2020 } from "ajv/dist/2020.js";
import { MortiseError } from "../../sdk/errors.ts";
import type { Manifest } from "../../sdk/wire.ts";

/**
 * Checks that what tools call their input's schema is one. Only where a plugin is described: compiling the schema of schemas takes longer than a host's start.
 * @throws MortiseError `plugin_invalid`, naming the tool and the first fault.
 */
export function checkToolSchemas({ name, tools }: Manifest): void {
  if (tools.length === 0) return;
  const ajv = new Ajv2020({ strict: false, logger: false });
  for (const tool of tools) {
    const { $schema: _, ...schema } = tool.inputSchema;
    if (ajv.validateSchema(schema) === true) continue;
    const [fault] = ajv.errors ?? [];
    throw new MortiseError("plugin_invalid", {
      seen: `the schema of tool ${tool.name}: ${fault?.instancePath || "it"} ${fault?.message ?? "is no schema"}`,
      plugin: name,
    });
  }
}

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { modelTables, pricesAsOf } from "../../../core/models/models-page.ts";

const path = fileURLToPath(new URL("../../../docs/models.md", import.meta.url));

describe("modelTables()", () => {
  it("is what docs/models.md holds; UPDATE=1 writes it anew", () => {
    for (const [heading, table] of Object.entries(modelTables())) {
      const page = readFileSync(path, "utf8");
      const found = new RegExp(`(?<=^## ${heading}\n[^#|]*)(?:^\\|.*\n)+`, "m").exec(page);
      expect(found, heading).not.toBeNull();
      if (process.env.UPDATE === "1")
        writeFileSync(
          path,
          page.replace(found?.[0] ?? "", () => `${table}\n`),
        );
      else expect(found?.[0].trimEnd(), heading).toBe(table);
    }
  });

  it("is as old as the page says", () => {
    expect(readFileSync(path, "utf8")).toContain(`as of ${pricesAsOf()}`);
  });
});

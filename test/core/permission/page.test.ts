import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Rule } from "../../../core/permission/permission.ts";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-page-")));
const project = join(root, "project");
for (const folder of ["project/src/a", "beside", "out"]) mkdirSync(join(root, folder), { recursive: true });
symlinkSync("../beside", join(project, "link"));
symlinkSync("../out", join(project, "esc"));
symlinkSync("../missing", join(project, "dangle"));

const syntax = createSyntax();
let rules: Rule[] = [];
const permissions = createPermissions({
  syntax,
  project,
  folders: { config: join(root, "config"), cache: join(root, "cache"), state: join(root, "state") },
  policy: () => ({ rules, yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
});
afterAll(async () => {
  await syntax.close();
  rmSync(root, { recursive: true });
});

type Row = { kind: "Commands" | "Files" | "Addresses"; pattern: string; call: string; asText: string; allows: string; denies: string; why: string };

const page = readFileSync(new URL("../../../docs/permissions.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^(Commands|Files|Addresses):\n\n\| rule \| call .*\n\|[- |]*\n((?:\|.*\n)+)/gm)].flatMap(([, kind, table = ""]) =>
  table
    .trim()
    .split("\n")
    .map((line): Row => {
      const [, pattern = "", call = "", asText = "", allows = "", denies = "", why = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { kind: kind as Row["kind"], pattern: code(pattern), call: code(call), asText, allows, denies, why };
    }),
);

describe("the tables of docs/permissions.md", () => {
  it.each(rows)("$kind: $pattern on $call allows: $allows, denies: $denies", async ({ kind, pattern, call, asText, allows, denies, why }) => {
    const own = (effect: Rule["effect"], text: string): Rule => ({ tool: "t", pattern: text, effect, layer: "user", from: "" });
    const list = await permissions.scopesOf({ tool: "t", input: {}, declared: { scopes: [scopeOf(kind, call)] }, cwd: project });
    const decide = async (given: Rule[]) => {
      rules = given;
      return (await permissions.evaluate({ tool: "t", sessionId: "s", list })).kind;
    };
    expect((await decide([own("allow", place(pattern))])) === "allow" ? "yes" : "no").toBe(allows);
    expect((await decide([own("allow", "*"), own("deny", place(pattern))])) === "deny" ? "yes" : "no").toBe(denies);
    // What is not as plain text would have it has a reason.
    if (allows !== asText || denies !== asText) expect(why).not.toBe("");
  });

  it("have a row for everything that may surprise", () => {
    expect(rows.length).toBeGreaterThanOrEqual(85);
    expect(new Set(rows.map(({ kind }) => kind)).size).toBe(3);
  });
});

function scopeOf(kind: Row["kind"], call: string): object {
  if (kind === "Commands") return { kind: "shell", command: call.replaceAll("⇥", "\t").replaceAll("⏎", "\n").replaceAll("␠", " ") };
  return kind === "Files" ? { kind: "path", path: place(call), access: "write" } : { kind: "url", url: call };
}

/** `P` is the project, `R` a folder beside it, `H` the user's home. */
function place(text: string): string {
  return text
    .replace(/^P(?=$|[/2])/, project)
    .replace(/^R(?=$|\/)/, join(root, "beside"))
    .replace(/^H(?=\/)/, homedir());
}

function code(cell: string): string {
  return cell.replace(/^`|`$/g, "").replaceAll("\\|", "|");
}

import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { printChanges } from "../../../core/config/print-changes.ts";
import { addTrust, listTrust, removeTrust, trustOf } from "../../../core/config/trust.ts";
import { freshHome } from "./home.ts";

describe("trustOf()", () => {
  it("goes from nothing over untrusted to trusted, and back", async () => {
    const { project, folders, write } = await freshHome();
    const state = async () => (await trustOf(project, folders)).state;
    expect(await state()).toBe("nothing");
    write("project/.mortise/plugins/a.ts", "1");
    expect(await state()).toBe("untrusted");
    await addTrust(project, folders);
    expect(await state()).toBe("trusted");
    expect((await listTrust(folders)).map(({ root }) => root)).toEqual([project.root]);
    expect(await removeTrust(project.root, folders)).toBe(true);
    expect(await state()).toBe("untrusted");
  });

  it.each(["config.jsonc", "permissions.jsonc", "plugins/a.ts", "plugins/deep/er/b.txt", "skills/a/SKILL.md"])(
    "is changed by %s: added, changed and removed",
    async (name) => {
      const { project, folders, write, root } = await freshHome();
      write("project/.mortise/plugins/first.ts", "first");
      await addTrust(project, folders);
      const kinds = async () => {
        const { state, changes } = await trustOf(project, folders);
        return [state, ...changes.map(({ path, kind }) => `${kind} ${path}`)];
      };
      write(`project/.mortise/${name}`, "one");
      expect(await kinds()).toEqual(["changed", `added ${name}`]);
      await addTrust(project, folders);
      write(`project/.mortise/${name}`, "two");
      expect(await kinds()).toEqual(["changed", `changed ${name}`]);
      await addTrust(project, folders);
      rmSync(join(root, ".mortise", name));
      expect(await kinds()).toEqual(["changed", `removed ${name}`]);
    },
  );

  it("takes files that are all gone for a change, until a person says so", async () => {
    const { project, folders, write, root } = await freshHome();
    write("project/.mortise/plugins/a.ts", "1");
    await addTrust(project, folders);
    rmSync(join(root, ".mortise"), { recursive: true });
    expect(await trustOf(project, folders)).toMatchObject({ state: "changed", changes: [{ path: "plugins/a.ts", kind: "removed" }] });
    await removeTrust(project.root, folders);
    expect((await trustOf(project, folders)).state).toBe("nothing");
  });

  it("does not mind files that do not count", async () => {
    const { project, folders, write } = await freshHome();
    write("project/.mortise/plugins/a.ts", "1");
    await addTrust(project, folders);
    write("project/.mortise/notes.md", "x");
    write("project/src/a.ts", "x");
    expect((await trustOf(project, folders)).state).toBe("trusted");
  });

  it("trusts nothing by a store that is broken, and leaves it as it is", async () => {
    const { project, folders, write } = await freshHome();
    write("project/.mortise/plugins/a.ts", "1");
    write("state/trust.json", "{");
    await expect(trustOf(project, folders)).rejects.toMatchObject({ code: "file_broken" });
    await expect(addTrust(project, folders)).rejects.toMatchObject({ code: "file_broken" });
  });
});

describe("addTrust()", () => {
  it("refuses links that lead out of the folder, of files, of folders, and the folder itself", async () => {
    const { project, folders, write, root } = await freshHome();
    write("project/.mortise/plugins/a.ts", "1");
    const outside = write("outside/b.ts", "2");
    const link = join(root, ".mortise/plugins/link");
    for (const target of [outside, join(outside, ".."), "/dev/zero", "../../nowhere"]) {
      symlinkSync(target, link);
      await expect(addTrust(project, folders), target).rejects.toMatchObject({ code: "not_trusted" });
      rmSync(link);
    }
    rmSync(join(root, ".mortise"), { recursive: true });
    symlinkSync(join(outside, ".."), join(root, ".mortise"));
    await expect(addTrust(project, folders)).rejects.toMatchObject({ code: "not_trusted" });
  });

  it("takes a link to a file inside, by what it holds", async () => {
    const { project, folders, write, root } = await freshHome();
    const target = write("project/.mortise/plugins/a.ts", "1");
    symlinkSync("a.ts", join(root, ".mortise/plugins/b.ts"));
    await addTrust(project, folders);
    writeFileSync(target, "2");
    expect((await trustOf(project, folders)).changes.map(({ path }) => path)).toEqual(["plugins/a.ts", "plugins/b.ts"]);
  });

  it("pins what was shown, not what stands there when the answer comes", async () => {
    const { project, folders, write } = await freshHome();
    write("project/.mortise/plugins/a.ts", "shown");
    const shown = await trustOf(project, folders);
    write("project/.mortise/plugins/a.ts", "swapped");
    await addTrust(project, folders, shown);
    expect((await trustOf(project, folders)).state).toBe("changed");
  });
});

describe("printChanges()", () => {
  it("shows the lines that went and came, and draws nothing on the terminal", async () => {
    const text = printChanges([{ path: "plugins/a.ts", kind: "changed", before: "a\nb\nc\n", after: "a\n\u001b[2Jx\nc\n" }]);
    expect(text).toBe("changed: plugins/a.ts\n  from line 2\n- b\n+ \\u001b[2Jx");
  });
});

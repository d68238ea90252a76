import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Scratch, scratch } from "../run-cli.ts";
import { hasTmux, openPane, type Pane } from "./pane.ts";

let here: Scratch;
let pane: Pane | undefined;
beforeEach(async () => {
  here = await scratch();
});
afterEach(async () => {
  await pane?.close();
  pane = undefined;
  await here.remove();
});

describe.skipIf(!hasTmux)("what is typed in a chat", { timeout: 120_000 }, () => {
  it("completes commands and files, and runs commands, shells and those of plugins", async () => {
    await here.write("project/src/some-file.ts", "");
    await here.write(
      "project/count.ts",
      `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "count" }, (api) => {
  api.registerCommand({ name: "count", description: "Counts characters.", run: (args) => "There are " + args.length + "\\u001b[31m of them." });
  api.setSlot("completion.sources", (prev, sources) => prev([...sources, { trigger: "%", name: "count", complete: (query) => [{ text: "%done" + query, label: "all done" }] }]));
});`,
    );
    pane = await openPane(here, ["chat", "--plugin", "count.ts", "--yolo"], { columns: 100, rows: 40 });
    await pane.until("yolo:");
    await pane.write("/cou");
    await pane.until("Counts characters. (count)");
    await pane.press("Enter");
    await pane.until("There are 0");
    await pane.send("/count four");
    expect(await pane.until(/There are 4.*of them\./)).toContain("There are 4\\u{1b}[31m of them.");
    await pane.write("see @some");
    await pane.until("src/some-file.ts");
    await pane.press("Tab");
    await pane.until("see @src/some-file.ts");
    await pane.write("and %x");
    await pane.until("all done");
    await pane.press("Tab");
    await pane.until("see @src/some-file.ts and %donex");
    await pane.press("C-c");
    await pane.send("!echo hello-$((40 + 2))");
    await pane.until(/^\W*hello-42/m);
    await pane.send("/yolo off");
    await pane.until("what no rule decides is asked about");
    await pane.send("!touch made.txt");
    await pane.until("Allow bash?");
    // Keys that come right after a question are no answer to it.
    await delay(700);
    await pane.press("4");
    await pane.until("$ touch made.txt");
    expect(existsSync(join(here.folder, "made.txt"))).toBe(false);
    await pane.send("/nonsense");
    await pane.until("There is no command /nonsense");
    await pane.send("/quit");
    await pane.until("[exit 0]");
    await pane.until("[terminal as before]");
  });

  it("brings back what was typed in an earlier chat", async () => {
    pane = await openPane(here, ["chat"]);
    await pane.until(/embedded\/scripted/);
    await pane.send("/cost");
    await pane.until("No model was asked yet");
    await pane.send("/quit");
    await pane.until("[exit 0]");
    await pane.close();
    pane = await openPane(here, ["chat"]);
    await pane.until(/embedded\/scripted/);
    await pane.press("Up");
    await pane.until("/quit");
    await pane.press("Up");
    await pane.until("/cost");
    await pane.press("Enter");
    await pane.until("No model was asked yet");
  });
});

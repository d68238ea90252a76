import { Command } from "commander";
import type { SlotInfo } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import type { Host } from "../../host-types.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, withExamples } from "../help.ts";
import { type HostedOptions, hosted } from "../hosted.ts";

export function slotsCommand(run: Run): Command {
  const command = hosted(new Command("slots"))
    .summary("show who wraps what, in which order")
    .description("Shows who wraps what: each slot with its layers, outermost first, its judges and redactors, and those that do not run.")
    .argument("[slot]", "only this slot, or the slots of this tool")
    .action((slot: string | undefined, options: HostedOptions) => run((cli) => slots(slot, options, cli)));
  return withExamples(command, [
    ["slots", "every slot that has layers"],
    ["slots bash --plugin trim-output.ts", "what stands around the bash tool, with one plugin more"],
  ]);
}

async function slots(wanted: string | undefined, options: HostedOptions, cli: Cli): Promise<number> {
  const { withHost } = await import("../with-host.ts");
  return withHost(options, cli, async (host) => {
    if (wanted !== undefined) await mustBe(wanted, host);
    const found = host.slots().filter((slot) => wanted === undefined || isAbout(slot.name, wanted));
    if (options.json) await cli.stdio.json(found);
    else await print(found, wanted, cli);
    return exits.ok;
  });
}

/** A misspelt name would look like a slot that nobody is on. Throws `unknown_slot` or, for a word without a dot, `unknown_tool`. */
async function mustBe(wanted: string, host: Host): Promise<void> {
  const tools = host.tools().map(({ name }) => name);
  if (host.slots().some(({ name }) => name === wanted) || tools.includes(wanted)) return;
  const [{ isSlotName, quoteSlot }, { quoteWithClose }] = await Promise.all([import("../../plugins/slot-name.ts"), import("../../close-names.ts")]);
  if (!wanted.includes(".")) throw new MortiseError("unknown_tool", { seen: quoteWithClose(wanted, tools) });
  if (!isSlotName(wanted)) throw new MortiseError("unknown_slot", { seen: quoteSlot(wanted) });
}

/** A tool's slots are its own and those of every tool. */
function isAbout(slot: string, wanted: string): boolean {
  return slot === wanted || [`tool.${wanted}.`, "tool.*."].some((start) => slot.startsWith(start) && /^[^.]*$/.test(wanted));
}

async function print(found: readonly SlotInfo[], wanted: string | undefined, { stdio }: Cli): Promise<void> {
  const { tableOf } = await import("../table.ts");
  const { visibleLine } = await import("../visible.ts");
  const shown = wanted === undefined ? found.filter((slot) => standing(slot).length > 0 || slot.declared) : found;
  if (shown.length === 0) stdio.say(wanted === undefined ? "Nothing stands on any slot." : `Nothing stands at ${visibleLine(wanted)}.`);
  for (const slot of shown) {
    const costs = slot.capability === null ? "all five capabilities" : slot.capability.join(", ") || "nothing";
    await stdio.write(`${stdio.paint("bold", visibleLine(slot.name))}${stdio.paint("dim", `  a layer costs ${costs}`)}\n`);
    const rows = standing(slot).map(({ place, plugin, failing, entitled }) => [
      `  ${place}`,
      visibleLine(plugin),
      failing,
      entitled ? "" : stdio.paint("yellow", "does not run: it lacks a grant"),
    ]);
    for (const line of tableOf(rows)) await stdio.write(`${line}\n`);
  }
}

/** Everybody on a slot, in the order they act. */
function standing(slot: SlotInfo): { place: string; plugin: string; failing: string; entitled: boolean }[] {
  const { layers, judges, redactors } = slot;
  return [
    ...layers.map(({ plugin, entitled, onFailure }, index) => ({
      place: String(index + 1),
      plugin,
      failing: onFailure === "block" ? "blocks when it fails" : "skipped when it fails",
      entitled,
    })),
    ...judges.map(({ plugin, entitled }) => ({ place: "judge", plugin, failing: "denies when it fails", entitled })),
    ...redactors.map(({ plugin, entitled }) => ({ place: "redactor", plugin, failing: "withholds when it fails", entitled })),
  ];
}

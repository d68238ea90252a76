import { MortiseError } from "../../../../sdk/errors.ts";
import { quoteWithClose } from "../../../close-names.ts";
import { tableOf } from "../../table.ts";
import { visible, visibleLine } from "../../visible.ts";
import type { ChatCommand } from "../chat-control.ts";

export const tools: ChatCommand = {
  name: "tools",
  description: "list the tools the model is offered, or describe one",
  source: "mortise",
  async run(args, { host }) {
    const wanted = args.trim();
    const found = host.tools("main");
    if (wanted === "")
      return tableOf(found.map(({ name, plugin, description }) => [name, plugin, visibleLine(firstSentence(description))])).join("\n");
    const tool = found.find(({ name }) => name === wanted);
    const names = found.map(({ name }) => name);
    if (tool === undefined) throw new MortiseError("unknown_tool", { seen: quoteWithClose(wanted, names) });
    return [
      `${tool.name}, of ${tool.plugin}; a layer on it costs ${tool.capability ?? "all five capabilities"}`,
      visible(tool.description),
      visible(JSON.stringify(tool.inputSchema, null, 2)),
    ].join("\n\n");
  },
  complete: async (_args, { host }) => host.tools("main").map(({ name, description }) => ({ value: name, description: firstSentence(description) })),
};

export const slots: ChatCommand = {
  name: "slots",
  description: "show who stands on which slot, in which order; a tool's name shows only its slots",
  source: "mortise",
  async run(args, { host }) {
    const wanted = args.trim();
    const found = host
      .slots()
      .filter(
        ({ name }) =>
          wanted === "" ||
          name === wanted ||
          name.startsWith(`tool.${wanted}.`) ||
          (name.startsWith("tool.*.") && host.tools().some((tool) => tool.name === wanted)),
      );
    const rows = found.flatMap(({ name, layers, judges, redactors }) => {
      const standing = [
        ...layers.map(({ plugin, onFailure, entitled }, i) => ({
          place: `${i + 1}`,
          plugin,
          says: onFailure === "block" ? "blocks when it fails" : "skipped when it fails",
          entitled,
        })),
        ...judges.map(({ plugin, entitled }) => ({ place: "judge", plugin, says: "denies when it fails", entitled })),
        ...redactors.map(({ plugin, entitled }) => ({ place: "redactor", plugin, says: "withholds when it fails", entitled })),
      ];
      return standing.map(({ place, plugin, says, entitled }, i) => [
        i === 0 ? name : "",
        place,
        plugin,
        entitled ? says : "does not run: it lacks a grant",
      ]);
    });
    if (rows.length === 0) return wanted === "" ? "Nothing stands on any slot." : `Nothing stands at ${visibleLine(wanted)}.`;
    return tableOf(rows).join("\n");
  },
};

export const plugins: ChatCommand = {
  name: "plugins",
  description: "list the plugins, with what they are granted and what is wrong with them",
  source: "mortise",
  async run(_args, { host }) {
    const rows = host.plugins().map(({ name, origin, granted, grantedSteer, failed, disabled, description }) => {
      const held = [...Object.keys(granted), ...grantedSteer];
      const state =
        failed !== null ? "failed" : disabled !== null ? "disabled" : held.length === 0 ? "granted nothing" : `granted ${held.join(", ")}`;
      return [name, origin.replace("_", " "), state, visibleLine(firstSentence(description ?? ""))];
    });
    const problems = host
      .problems()
      .map(({ severity, message, fix }) => `${severity}: ${visibleLine(message)}${fix === undefined ? "" : `. ${visibleLine(fix)}`}`);
    return [...tableOf(rows), ...(problems.length === 0 ? [] : ["", ...problems])].join("\n");
  },
};

function firstSentence(text: string): string {
  const [sentence = ""] = text.trimStart().split(/(?<=\.)\s|\n/, 1);
  return sentence.length <= 100 ? sentence : `${sentence.slice(0, 99).toWellFormed()}…`;
}

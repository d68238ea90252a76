import type { ChatCommand } from "../chat-control.ts";

/** Says whether what no rule decides is allowed, or changes it. */
export const yolo: ChatCommand = {
  name: "yolo",
  description: "on allows what no rule decides without asking; off asks again",
  source: "mortise",
  async run(args, { yolo: switched }) {
    const wanted = args.trim().toLowerCase();
    if (wanted === "") return `Yolo is ${switched.isOn() ? "on" : "off"}. \`/yolo on\` or \`/yolo off\` changes it.`;
    if (wanted !== "on" && wanted !== "off") return "`/yolo on` or `/yolo off`: nothing was changed.";
    switched.set(wanted === "on");
    return wanted === "on"
      ? "Yolo is on: every call that no rule decides runs without asking, commands that change or delete files among them. Rules that deny or ask, plugins that ask, protected paths and commands that are not understood count as before. `/yolo off` ends it."
      : "Yolo is off: what no rule decides is asked about.";
  },
  complete: async () => [{ value: "on" }, { value: "off" }],
};

import { Input, isKeyRelease, Key, matchesKey } from "@earendil-works/pi-tui";
import type { PersonAnswer } from "../../../../sdk/api.ts";
import type { PersonRequest } from "../../../person.ts";
import { unpadded, visibleLine } from "../../visible.ts";
import { wrapped } from "../view/wrapped.ts";
import { createChoices, type Panel } from "./panel.ts";
import { createScrolled } from "./scrolled.ts";

type Taken = `${number}` | "type" | "done" | "none";

/** Asks what a plugin wants to know. Who asks stands above, and the plugin's words behind a bar. Escape gives no answer. */
export function createQuestionPanel(request: PersonRequest, answer: (answer: PersonAnswer | undefined) => void): Panel {
  const { plugin, tool, question, options, multiple, freeText } = request;
  const scrolled = createScrolled();
  const chosen = new Set<number>();
  const labels = () => options.filter((_, index) => chosen.has(index)).map(({ label }) => label);
  const input = new Input({ prompt: "> " });
  input.focused = true;
  input.onSubmit = (typed) => {
    const text = typed.trim();
    if (text === "" && chosen.size === 0) return answer(undefined);
    answer({ chosen: labels(), ...(text === "" ? {} : { text }) });
  };
  let isTyping = options.length === 0;
  let choices = createChoices<Taken>(list());

  function list() {
    return [
      ...options.map(({ label, description }, index) => ({
        value: `${index}` as const,
        label: `${multiple ? (chosen.has(index) ? "[x] " : "[ ] ") : ""}${visibleLine(unpadded(label))}`,
        ...(description === undefined ? {} : { hint: visibleLine(unpadded(description)) }),
      })),
      ...(multiple ? [{ value: "done", label: "That is all" } as const] : []),
      ...(freeText ? [{ value: "type", label: "Something else" } as const] : []),
      { value: "none", label: "Do not answer" } as const,
    ];
  }

  const take = (choice: Taken | undefined) => {
    if (choice === undefined) return;
    if (choice === "none") return answer(undefined);
    if (choice === "done") return answer(chosen.size === 0 ? undefined : { chosen: labels() });
    if (choice === "type") {
      isTyping = true;
      return;
    }
    const index = Number(choice);
    if (!multiple) {
      chosen.add(index);
      return answer({ chosen: labels() });
    }
    if (!chosen.delete(index)) chosen.add(index);
    choices = createChoices<Taken>(list());
  };

  return {
    lines(look, rows) {
      const { paint, width } = look;
      const who = tool === plugin ? visibleLine(plugin) : `${visibleLine(plugin)}, in its tool ${visibleLine(tool)},`;
      const head = [paint("dim", "─".repeat(width)), ...wrapped(`${who} asks you`, width).map((line) => paint(["bold", "yellow"], line))];
      const words = wrapped(unpadded(question), Math.max(8, width - 2)).map((line) => `${paint("dim", "|")} ${line}`);
      const below = isTyping
        ? [...input.render(width), ...wrapped("Enter answers. Escape gives no answer.", width).map((line) => paint("dim", line))]
        : [...choices.lines(look), ...wrapped("A number, or the arrows and Enter. Escape gives no answer.", width).map((line) => paint("dim", line))];
      return [...head, ...scrolled.lines(words, rows - head.length - below.length, look), ...below];
    },
    key(data) {
      if (isKeyRelease(data)) return true;
      if (matchesKey(data, Key.escape)) answer(undefined);
      else if (isTyping) input.handleInput(data);
      else if (!scrolled.key(data)) {
        const isMeant = choices.means(data);
        take(choices.key(data));
        return isMeant;
      }
      return true;
    },
  };
}

import { isKeyRelease, Key, matchesKey } from "@earendil-works/pi-tui";
import { visibleLine } from "../../visible.ts";
import { wrapped } from "../view/wrapped.ts";
import { createChoices, type Panel } from "./panel.ts";

/** Asks for another key where a provider refused the one there is. Escape gives up. */
export function createKeyPanel({ model, message }: { model: string; message: string }, answer: (tryAgain: boolean) => void): Panel {
  const choices = createChoices([
    { value: "again", label: "Try again: the settings and keys are read anew" },
    { value: "stop", label: "Stop" },
  ]);
  return {
    lines(look) {
      const { paint, width } = look;
      return [
        paint("dim", "─".repeat(width)),
        ...wrapped(`The key of ${visibleLine(model)} was refused`, width).map((line) => paint(["bold", "yellow"], line)),
        ...wrapped(visibleLine(message), Math.max(8, width - 2)).map((line) => `${paint("dim", "|")} ${line}`),
        ...wrapped("Put a key that counts into the config or its file, elsewhere, then try again.", width),
        ...choices.lines(look),
        ...wrapped("A number, or the arrows and Enter. Escape gives up.", width).map((line) => paint("dim", line)),
      ];
    },
    key(data) {
      if (isKeyRelease(data)) return true;
      const isEscape = matchesKey(data, Key.escape);
      const isMeant = isEscape || choices.means(data);
      const choice = choices.key(data);
      if (isEscape || choice !== undefined) answer(choice === "again");
      return isMeant;
    },
  };
}

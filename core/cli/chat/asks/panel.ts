import { decodeKittyPrintable, isKeyRelease, Key, matchesKey } from "@earendil-works/pi-tui";
import type { Look } from "../view/look.ts";
import { wrapped } from "../view/wrapped.ts";

/** What stands in the prompt's place while a person is asked. */
export type Panel = {
  /** At most `rows` lines. */
  lines(look: Look, rows: number): string[];
  /** Whether it means anything here. */
  key(data: string): boolean;
};

export type PanelChoice<Value extends string> = { value: Value; label: string; hint?: string };

/** Choices under each other. None is taken at first, so that Enter alone chooses nothing. */
export type Choices<Value extends string> = {
  lines(look: Look): string[];
  /** Whether a key moves or takes anything. */
  means(data: string): boolean;
  /** The choice that a key takes, if it does. */
  key(data: string): Value | undefined;
};

export function createChoices<Value extends string>(choices: readonly PanelChoice<Value>[]): Choices<Value> {
  let at: number | undefined;
  const numbered = (data: string) => {
    const digit = decodeKittyPrintable(data) ?? data;
    return DIGIT.test(digit) ? choices[Number(digit) - 1]?.value : undefined;
  };
  return {
    lines: ({ paint, width }) =>
      choices.flatMap(({ label, hint }, index) => {
        const isAt = index === at;
        const head = `${isAt ? ">" : " "} ${index + 1} `;
        const shown = wrapped(label, width, head, " ".repeat(head.length)).map((line) => (isAt ? paint(["bold", "cyan"], line) : line));
        return [...shown, ...(hint === undefined || hint === "" ? [] : wrapped(hint, width, "    ").map((line) => paint("dim", line)))];
      }),
    means: (data) =>
      matchesKey(data, Key.up) || matchesKey(data, Key.down) || (at !== undefined && matchesKey(data, Key.enter)) || numbered(data) !== undefined,
    key(data) {
      if (isKeyRelease(data)) return undefined;
      if (matchesKey(data, Key.up)) at = at === undefined ? choices.length - 1 : (at + choices.length - 1) % choices.length;
      else if (matchesKey(data, Key.down)) at = at === undefined ? 0 : (at + 1) % choices.length;
      else if (matchesKey(data, Key.enter)) return at === undefined ? undefined : choices[at]?.value;
      return numbered(data);
    },
  };
}

const DIGIT = /^[1-9]$/;

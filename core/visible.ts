/**
 * Text as a person can trust it: characters that move the cursor, reorder or hide text are shown as escapes.
 * Line ends stay as they are.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** `visible` on one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "\\n");
}

/** A value as JSON that says the same and hides nothing. */
export function visibleJson(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(HIDDEN, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

const HIDDEN = /[^\n -~](?<=[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|\p{M}{3})/gu;
const SHORT: Readonly<Record<string, string>> = { "\t": "\\t", "\r": "\\r" };

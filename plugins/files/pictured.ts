/** Control characters but tab and line end. What goes to a model is cleared of those that steer terminals. */
const CONTROL = /[^\t\n\P{Cc}]/gu;
const ANY = new RegExp(CONTROL.source, "u");

/** What is said where there are pictures. */
export const PICTURED = "control characters are shown as pictures, as \u241b for escape";

/** Text with pictures in the place of control characters. */
export function pictured(text: string): string {
  // Most lines have none, and to find that out is much sooner done than to replace nothing.
  if (!ANY.test(text)) return text;
  return text.replace(CONTROL, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\\x${code.toString(16)}`;
  });
}

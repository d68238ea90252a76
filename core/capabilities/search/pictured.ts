/** Control characters but tab and line end. */
const CONTROL = /[^\t\n\P{Cc}]/gu;

/** Those of ASCII: to look for each of them takes a third of what looking at each character of a long text does. */
export const NARROW = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)).filter((char) => char.replace(CONTROL, "") === "");

/** Text with pictures in the place of control characters. What goes to a model is cleared of those that steer terminals. */
export function pictured(text: string, isAscii: boolean): string {
  if (isAscii && !NARROW.some((char) => text.includes(char))) return text;
  return text.replace(CONTROL, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\\x${code.toString(16)}`;
  });
}

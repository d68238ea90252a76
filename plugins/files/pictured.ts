/** Control characters but tab. What goes to a model is cleared of those that steer terminals. */
const CONTROL = /(?!\t)\p{Cc}/gu;

/** A line with pictures in the place of control characters. */
export function pictured(line: string): string {
  return line.replace(CONTROL, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\\x${code.toString(16)}`;
  });
}

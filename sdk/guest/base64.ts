const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** `btoa` as the web has it: characters up to U+00FF. */
export function btoa(value: unknown): string {
  const text = String(value);
  let encoded = "";
  for (let i = 0; i < text.length; i += 3) {
    const codes = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)];
    if (codes.some((code) => code > 255)) throw new RangeError("The text has characters outside of Latin-1");
    const bits = (codes[0]! << 16) | ((codes[1]! || 0) << 8) | (codes[2]! || 0);
    encoded += ALPHABET[bits >> 18]! + ALPHABET[(bits >> 12) & 63]!;
    encoded += i + 1 < text.length ? ALPHABET[(bits >> 6) & 63]! : "=";
    encoded += i + 2 < text.length ? ALPHABET[bits & 63]! : "=";
  }
  return encoded;
}

/** `atob` as the web has it. */
export function atob(value: unknown): string {
  const spaced = String(value).replace(/[\t\n\f\r ]/g, "");
  const text = spaced.length % 4 === 0 ? spaced.replace(/==?$/, "") : spaced;
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw new RangeError("The text is not correctly encoded");
  let decoded = "";
  let bits = 0;
  let count = 0;
  for (const char of text) {
    bits = (bits << 6) | ALPHABET.indexOf(char);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded += String.fromCharCode((bits >> count) & 255);
  }
  return decoded;
}

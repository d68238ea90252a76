const meant: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "'": "'", "`": "`", "\\": "\\", "/": "/" };

/** A text that was escaped once more than it should be; undefined where nothing in it is escaped. */
export function unescaped(text: string): string | undefined {
  const plain = text.replace(/\\([ntr"'`\\/])/g, (_, char: string) => meant[char] ?? char);
  return plain === text ? undefined : plain.replaceAll("\r\n", "\n");
}

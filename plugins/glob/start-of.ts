/** The folder that a pattern begins in: its leading parts that are plain names, from `path` where they are relative. */
export function startOf(pattern: string, path = "."): string {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  const plain = first === -1 ? parts.slice(0, -1) : parts.slice(0, first);
  const folder = plain.length === 1 && plain[0] === "" ? "/" : plain.join("/");
  if (folder === "") return path;
  return folder.startsWith("/") || folder === "~" || folder.startsWith("~/") ? folder : `${path}/${folder}`;
}

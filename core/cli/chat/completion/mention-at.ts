export type Mention = { trigger: string; query: string };

/** The mention that a text ends in: a trigger at the start of a word, with what follows it. In quotes it may have spaces. */
export function mentionAt(before: string, triggers: readonly string[]): Mention | undefined {
  const any = triggers.map((trigger) => trigger.replace(/[\\^$.*+?()[\]{}|-]/g, "\\$&")).join("");
  const found = new RegExp(`(?:^|[\\s([{<\`])(?:@("[^"]*)|([${any}])([^\\s"]*))$`, "u").exec(before);
  if (found === null) return undefined;
  const [, quoted, trigger = "@", query = ""] = found;
  return { trigger, query: quoted ?? query };
}

/** Paths that a message mentions after an `@`, as they are written, each once. */
export function mentionedPaths(text: string): string[] {
  const found = [...text.matchAll(/(?<=^|[\s([{<`])@(?:"([^"\n]+)"|([^\s"]+))/gu)].map(
    ([, quoted, plain]) => quoted ?? (plain ?? "").replace(/[.,;:!?)\]}>`]+$/, ""),
  );
  return [...new Set(found)].filter((path) => path !== "");
}

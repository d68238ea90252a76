/** A mask for all of a page but its scripts: `tag` is how one of them begins. */
export function allBut(tag: string): string {
  return `(?:(?<![\\s\\S])|</script>)[\\s\\S]*?(?:${tag}|(?![\\s\\S]))`;
}

/** The rest of an opening tag, so long at most, since one that does not end is looked for from each tag on. */
export const TAG_REST = `(?:"[^"]{0,200}"|'[^']{0,200}'|[^>"']){0,200}>`;

/** A mask for all of a page but its scripts: `tag` is how one of them begins. */
export function allBut(tag: string): string {
  return `(?:(?<![\\s\\S])|</script>)[\\s\\S]*?(?:${tag}|(?![\\s\\S]))`;
}

/** The rest of an opening tag. */
export const TAG_REST = `(?:"[^"]*"|'[^']*'|[^>"'])*>`;

/** A path as it is mentioned in a message: in quotes where it has spaces. */
export function mentionOf(trigger: string, path: string): string {
  return /[\s,;]/u.test(path) ? `${trigger}"${path}"` : `${trigger}${path}`;
}

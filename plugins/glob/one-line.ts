/** A name with control characters is shown in quotes, as in JSON, so that it cannot pass for more lines. */
export function oneLine(name: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name;
}

/** Whether a listener hears an event: patterns are exact or `*`, and one with a pattern hears no event fired without one, but for `*`. */
export function listensTo(
  autocmd: { events: readonly string[]; pattern: readonly string[] | null },
  fired: { event: string; match: string | undefined },
): boolean {
  if (!autocmd.events.includes(fired.event)) return false;
  if (autocmd.pattern === null || autocmd.pattern.includes("*")) return true;
  return fired.match !== undefined && autocmd.pattern.includes(fired.match);
}

/** How permission requests are answered; in `dontAsk` by nobody. There is no planning here, and edits are asked about as anything else. */
export const modes = ["default", "acceptEdits", "dontAsk", "bypassPermissions"] as const;
export type Mode = (typeof modes)[number];

export function modeOf(value: unknown): Mode | undefined {
  return modes.find((mode) => mode === value);
}

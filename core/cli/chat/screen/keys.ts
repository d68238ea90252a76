import { KeybindingsManager, setKeybindings, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";

/** The library's keys, and Alt+Enter for a new line where a terminal has no Shift+Enter. */
export function useKeys(): void {
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, { "tui.input.newLine": ["shift+enter", "alt+enter", "ctrl+j"] }));
}

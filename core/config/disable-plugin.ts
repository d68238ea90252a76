import { join } from "node:path";
import { appendItems, removeItem } from "./append-item.ts";
import { ConfigFile } from "./config-file.ts";
import { editSettings } from "./edit-settings.ts";
import type { Folders } from "./folders.ts";

/** Writes into the user's config that a plugin is not to be loaded, or is again. */
export async function setDisabled(folders: Folders, name: string, disabled: boolean): Promise<void> {
  await editSettings(join(folders.config, "config.jsonc"), ConfigFile, (text, value) => {
    if ((value.disabled ?? []).includes(name) === disabled) return text;
    return disabled ? appendItems(text, "disabled", [name]) : removeItem(text, "disabled", name);
  });
}

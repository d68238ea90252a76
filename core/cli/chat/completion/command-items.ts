import type { AutocompleteItem } from "@earendil-works/pi-tui";
import { visibleLine } from "../../visible.ts";
import type { ChatCommand, ChatControl } from "../chat-control.ts";
import type { Commands } from "../commands/commands.ts";

const MOST = 50;

/** Commands whose names begin with what was typed, then those that have it elsewhere. */
export function commandsLike(commands: Commands, typed: string): AutocompleteItem[] {
  const items = commands.all().map(({ name, description, source }) => ({
    value: `/${name}`,
    label: `/${name}`,
    description: visibleLine(source === "mortise" ? description : `${description} (${source})`),
  }));
  return ranked(items, `/${typed}`, typed);
}

/** What the arguments of a command may become. */
export async function argumentsOf(command: ChatCommand | undefined, args: string, chat: ChatControl): Promise<AutocompleteItem[]> {
  const found = (await command?.complete?.(args, chat)) ?? [];
  const items = found.map(({ value, description }) => ({
    value,
    label: visibleLine(value),
    ...(description === undefined ? {} : { description: visibleLine(description) }),
  }));
  // Nothing is left to complete.
  return items.some(({ value }) => value === args) ? [] : ranked(items, args, args);
}

function ranked(items: AutocompleteItem[], beginning: string, typed: string): AutocompleteItem[] {
  const [start, part] = [beginning.toLowerCase(), typed.toLowerCase()];
  const starts = items.filter(({ value }) => value.toLowerCase().startsWith(start));
  const holds = items.filter((item) => !starts.includes(item) && item.value.toLowerCase().includes(part));
  return [...starts, ...holds].slice(0, MOST);
}

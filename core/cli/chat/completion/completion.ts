import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import type { ChatControl } from "../chat-control.ts";
import type { Commands } from "../commands/commands.ts";
import { applied } from "./applied.ts";
import { argumentsOf, commandsLike } from "./command-items.ts";
import { mentionAt } from "./mention-at.ts";

export type CompletionOptions = {
  control: ChatControl;
  commands: Commands;
  /** Told once the sources of plugins are known, where they begin with more characters than `@`: the provider is to be set anew. */
  onTriggers?(provider: AutocompleteProvider): void;
};

/** How long files wait for slower sources of the same character, in milliseconds. */
const PATIENCE_MS = 200;

/** Completes `/` commands with their arguments, and mentions by the sources of the host: files after an `@`, and what plugins bring. */
export function createCompletion({ control, commands, onTriggers }: CompletionOptions): AutocompleteProvider {
  const { host, sessionId } = control;
  let triggers = ["@"];

  const mentions = async (before: string, signal: AbortSignal): Promise<AutocompleteSuggestions | null> => {
    const mention = mentionAt(before, triggers);
    if (mention === undefined) return null;
    const patience = mention.trigger === "@" ? { patienceMs: PATIENCE_MS } : {};
    const { rows } = await host.complete({ ...mention, sessionId, ...patience }, signal);
    const typed = mention.trigger + mention.query;
    // It is whole: Enter sends the message.
    if (rows.some(({ text }) => text === typed && !text.endsWith("/"))) return null;
    return suggestions(rows.map(itemOf), typed);
  };

  /** The word before the cursor as a path, for a person who asks for it with Tab. */
  const paths = async (before: string, signal: AbortSignal): Promise<AutocompleteSuggestions | null> => {
    const word = /(?:^|[\s=([{<`])([^\s=([{<`]+)$/.exec(before)?.[1];
    if (word === undefined) return null;
    const { rows } = await host.complete({ trigger: "@", query: word, sessionId, patienceMs: PATIENCE_MS }, signal);
    const files = rows.filter(({ source, plugin }) => source === "files" && plugin === "host");
    return suggestions(
      files.map((row) => ({ ...itemOf(row), value: row.text.slice(1) })),
      word,
    );
  };

  const provider: AutocompleteProvider = {
    triggerCharacters: triggers,
    async getSuggestions(lines, cursorLine, cursorCol, { signal, force }) {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const isFirst = lines.slice(0, cursorLine).every((line) => line.trim() === "");
      if (isFirst && /^\/\S*$/.test(before) && commandsLike(commands, before.slice(1)).length > 0)
        return suggestions(commandsLike(commands, before.slice(1)), before);
      const command = isFirst ? /^\/(\S+)\s+(.*)$/.exec(before) : null;
      if (command !== null) {
        const [, name = "", args = ""] = command;
        const items = await argumentsOf(commands.find(name), args, control).catch(() => []);
        if (signal.aborted) return null;
        if (items.length > 0) return suggestions(items, args);
      }
      return (await mentions(before, signal)) ?? (force === true ? paths(before, signal) : null);
    },
    applyCompletion: (lines, cursorLine, cursorCol, item, prefix) => applied({ lines, cursorLine, cursorCol }, item.value, prefix),
    shouldTriggerFileCompletion: (lines, cursorLine, cursorCol) => /\S$/.test((lines[cursorLine] ?? "").slice(0, cursorCol)),
  };

  void host.completionSources(sessionId).then((sources) => {
    triggers = [...new Set(["@", ...sources.map(({ trigger }) => trigger)])];
    if (triggers.length === 1) return;
    provider.triggerCharacters = triggers;
    onTriggers?.(provider);
  });
  return provider;
}

function suggestions(items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
  return items.length === 0 ? null : { items, prefix };
}

function itemOf({ text, label, description }: { text: string; label: string; description: string | null }): AutocompleteItem {
  return { value: text, label, ...(description === null ? {} : { description }) };
}

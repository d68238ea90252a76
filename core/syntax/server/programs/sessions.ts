import { leadOf, literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import type { Findings, Program } from "./program.ts";
import { runOrText } from "./wrapping.ts";

const vim: Program = { does: "runs", runner: true, special: openVim };

/** Programs that are told what to do as they run: editors, debuggers, terminals in terminals. */
export const sessions: Readonly<Record<string, Program>> = {
  ed: editor(),
  red: editor(),
  gdb: {
    does: "runs",
    runner: true,
    special: ({ words, input }, found) => {
      if (input !== undefined) found.code(input);
      for (const [at, word] of words.entries()) {
        if (/^--?(?:ex|eval-command|iex|x|command|init-command|ix|init-eval-command|python|P)(?:=|$)/.test(word.text)) {
          const cut = word.text.indexOf("=");
          const value = cut === -1 ? words[at + 1] : literal(word.text.slice(cut + 1));
          const shell = /^(?:shell|!|make|pipe|\|)\s*(.*)$/s.exec(onlyValue(value) ?? "")?.[1];
          if (shell !== undefined) found.text(literal(shell), "text for gdb");
          else found.force("what gdb is told to run");
        } else if (/^--?args$/.test(word.text)) found.command(words.slice(at + 1));
      }
    },
  },
  screen: {
    does: "runs",
    runner: true,
    options: "-a -A -d -D -m -r? -R -x -i -l -L -n -O -q -U -X -S: -s: -t: -T: -c:a -e: -h: -p:",
    special: ({ words }, found) => {
      const at = words.findIndex((word) => word.text === "-X");
      if (at !== -1) found.force("what screen is told to do");
      const first = words.findIndex((word, index) => !/^-/.test(word.text) && !/^-[a-zA-Z]*[SstTcehp]$/.test(words[index - 1]?.text ?? ""));
      if (at === -1 && first !== -1) found.command(words.slice(first));
    },
  },
  tmux: { does: "runs", runner: true, special: openTmux },
  vim,
  vi: vim,
  nvim: vim,
  ex: vim,
  vimdiff: vim,
  gvim: vim,
  view: vim,
  rvim: vim,
  rview: vim,
  nano: { does: "writes", operands: "W*" },
  pico: { does: "writes", operands: "W*" },
};

/** It reads what it does to a file from its input. */
function editor(): Program {
  return {
    does: "runs",
    runner: true,
    options: "-p,--prompt: -s -E -l -r -v --help@n --version@n",
    special: ({ operands: [file], input }, found) => {
      if (file !== undefined) found.file("write", file, true);
      if (input === undefined) found.force("ed reads what it runs from its input");
      else found.code(input);
    },
  };
}

/** `-c CMD`, `+CMD` and scripts: a `!` in them is text for a shell. */
function openVim({ words, path, input }: Call, found: Findings): void {
  const call = path.at(-1);
  // A script that it is given is read as keys or commands.
  if (input !== undefined && words.some((word) => /^-[a-zA-Z]*[esE]/.test(word.text))) found.code(input);
  for (const [at, word] of words.entries()) {
    const before = onlyValue(words[at - 1]) ?? "";
    const text = onlyValue(word) ?? "";
    if (before === "-l" && call === "nvim") found.force("a script of the editor");
    else if (/^(?:-[a-zA-Z]*c|--cmd|-S|-s|-u|-U|-w|-W|-i)$/.test(before)) {
      if (/^(?:-[a-zA-Z]*c|--cmd)$/.test(before)) editorCommand(text, found);
      else if (before === "-w" || before === "-W") found.file("write", word);
      else if (text !== "NONE" && text !== "NORC") found.force("a script of the editor");
    } else if (text.startsWith("+")) editorCommand(text.slice(1), found);
    else if (!/^-/.test(leadOf(word))) found.file("write", word, true);
  }
}

function editorCommand(text: string, found: Findings): void {
  const shell = /^:?\s*(?:silent!?\s+)?(?:%|\d[\d,$]*)?!\s*(.*)$/s.exec(text)?.[1] ?? /^:?\s*(?:terminal|term)\s+(.*)$/s.exec(text)?.[1];
  if (shell !== undefined) found.text(literal(shell), "text for the editor");
  else if (!/^(?:\d*|\/[^!|]*|:?(?:wq?|q|qa|wqa?|x|set \w+|syntax \w+|normal! ?gg|\$|%?s\/[^!|]*)!?)$/.test(text))
    found.force("what the editor is told to do");
}

function openTmux({ words }: Call, found: Findings): void {
  const at = words.findIndex((word) =>
    /^(?:new|new-session|neww|new-window|splitw|split-window|respawnw|respawn-window|respawnp|respawn-pane|popup|display-popup|run|run-shell|if|if-shell|pipep|pipe-pane|send|send-keys|source|source-file|set-hook|bind|bind-key|confirm-before|command-prompt)$/.test(
      word.text,
    ),
  );
  if (words.some((word, index) => word.text === "-c" && (at === -1 || index < at))) found.force("text for tmux");
  if (at === -1) {
    if (
      !words.every((word) =>
        /^(?:ls|list-.*|lsw|lsp|lsc|lsk|info|show.*|display-message|display|capture-pane|capturep|has|has-session|-.*|\w+)$/.test(word.text),
      )
    )
      found.does("unknown");
    return;
  }
  const rest: Word[] = [];
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]!;
    if (rest.length === 0 && /^-[ceFnstxylpT]$/.test(word.text)) index++;
    else if (rest.length > 0 || !/^-/.test(word.text)) rest.push(word);
  }
  if (/^(?:source|source-file|set-hook|bind|bind-key|confirm-before|command-prompt)$/.test(words[at]!.text)) found.force("what tmux is told to do");
  if (rest.length === 0) return;
  if (rest.length === 1) found.text(rest[0]!, "text for tmux");
  else if (/^send/.test(words[at]!.text))
    found.text(
      {
        text: rest
          .map((word) => word.text)
          .join(" ")
          .replace(/ (?:C-m|Enter)\b/g, "\n"),
        static: true,
        source: "",
      },
      "text for tmux",
    );
  else runOrText(rest, true, "tmux", found);
}

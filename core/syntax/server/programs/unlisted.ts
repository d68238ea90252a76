import { leadOf, onlyValue, type Word, wordFrom } from "../word.ts";
import type { Does, Findings } from "./program.ts";

const WRITES =
  /^(?:o|out|output|out-?file|output-?file|out-?dir|output-?(?:dir|directory|path)|export-?dir|dest|destination|destdir|log-?file|report-?file|save-?to)$/;
const ENTERS =
  /^(?:cwd|chdir|directory|dir|work-?dir|working-?(?:dir|directory)|project|project-?(?:dir|directory|path)|root|root-?dir|manifest-?path|(?:make|just|task|rake|build|gem)-?file|target-?dir|install-?dir)$/;
const RUNS =
  /^(?:exec|exec-?cmd|exec-?command|command|cmd|pager|editor|viewer|browser|pre-?processor|shell-?command|rsh|askpass|post-?renderer|on-?(?:success|failure|change|exit)|[a-z-]+-(?:cmd|command|hook|wrapper|pager|editor|askpass)|(?:pre|post)-?(?:script|exec|run))$/;
/** Settings from elsewhere tell a program what to run. */
const SETTINGS = /^(?:c|f|config|config-?file|conf|settings|rc-?file|init-?file|playbook)$/;

/** What such an option names is loaded, where it names a file. */
const LOADS =
  /^(?:plugins?|presets?|reporters?|formatters?|format|f|runner|resolver|loader|require|r|import|processor|transform(?:er)?|parser|custom-syntax|test-environment|environment|env|ui|backend|downloader|connection|compiler|linker|setup-files?|global-setup|rules-?dir)$/;

/**
 * Options that no entry tells of, read by what they are called: what is written or entered outside the project and what names a command is asked about.
 * Programs that only read or ask the network are believed; of options that are told of, those that load a file of a name are asked about all the same.
 */
export function unlistedOptions(words: readonly Word[], isListed: (option: string) => boolean, does: Does, found: Findings): void {
  if (does === "reads" || does === "network") return;
  for (const [at, word] of words.entries()) {
    const lead = leadOf(word);
    if (lead === "--") return;
    const match = /^(--?)([A-Za-z][\w.-]*)(=)?/.exec(lead);
    if (match === null) continue;
    const [start, dashes, written, equals] = match;
    const isGlued = dashes === "-" && /^-o[./~]/.test(lead);
    const name = isGlued
      ? "o"
      : written!
          .replace(/(?<=[a-z])(?=[A-Z])/g, "-")
          .replaceAll("_", "-")
          .toLowerCase();
    const next = words[at + 1];
    const value = isGlued ? wordFrom(word, 2) : equals !== undefined ? wordFrom(word, start.length) : next;
    const text = onlyValue(value) ?? "";
    if (value === undefined || text === "" || text.startsWith("-")) continue;
    const isFile = /^\.{0,2}\/|^~|^(?:data|file|https?):/.test(text);
    // A letter means what the entry says.
    const listed = isListed(match[1]! + match[2]!);
    if (isFile && LOADS.test(name) && does === "runs" && (name.length > 1 || !listed)) found.force(`what ${dashes}${written} loads`);
    else if (listed) continue;
    else if (isFile && LOADS.test(name) && name.length > 1) found.force(`what ${dashes}${written} loads`);
    else if (RUNS.test(name)) {
      if (/[\s/;|&$`]/.test(text) || /exec|command|cmd/.test(name)) found.force(`what ${dashes}${written} names`);
    } else if (!/\/|^~|^\.\.$/.test(text)) continue;
    else if (WRITES.test(name)) found.file("write", value, true);
    else if (ENTERS.test(name) || (does === "runs" && SETTINGS.test(name))) found.folder(value);
  }
}

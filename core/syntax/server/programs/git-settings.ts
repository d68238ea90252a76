import { literal, onlyValue, type Word, wordFrom } from "../word.ts";
import type { Findings } from "./program.ts";
import { runOrText } from "./wrapping.ts";

/** Settings that change how git prints, or whose names it signs with. */
const harmless =
  /^(?:user\.(?:name|email|useconfigonly)|author\.(?:name|email)|committer\.(?:name|email)|color\.[\w.-]+|column\.\w+|advice\.\w+|log\.\w+|status\.\w+|core\.(?:quotepath|autocrlf|eol|safecrlf|filemode|ignorecase|abbrev|commentchar|precomposeunicode|longpaths|whitespace|compression|bigfilethreshold|untrackedcache|preloadindex|trustctime|checkstat|logallrefupdates|loosecompression|packedgitlimit|packedgitwindowsize|deltabasecachelimit|looserefs|warnambiguousrefs|multipackindex|commitgraph|protecthfs|protectntfs)|diff\.(?:algorithm|renames|context|interhunkcontext|mnemonicprefix|noprefix|renamelimit|submodule|colormoved|colormovedws|suppressblankempty|wserrorhighlight|statgraphwidth|statnamewidth|dirstat|indentheuristic|ignoresubmodules|relative|wordregex)|commit\.(?:gpgsign|verbose|status|cleanup)|tag\.(?:gpgsign|sort|forcesignannotated)|push\.(?:default|autosetupremote|followtags|gpgsign)|pull\.(?:rebase|ff|octopus|twohead)|merge\.(?:ff|conflictstyle|renames|renamelimit|log|stat|verbosity|autostash|branchdesc|directoryrenames|verifysignatures)|rebase\.(?:autosquash|autostash|stat|abbreviatecommands|updaterefs|missingcommitscheck|forkpoint)|fetch\.(?:prune|prunetags|parallel|writecommitgraph|showforcedupdates|output|all)|init\.defaultbranch|gc\.\w+|pack\.\w+|protocol\.version|http\.(?:version|lowspeedlimit|lowspeedtime|postbuffer|maxrequests|minsessions|followredirects)|index\.\w+|feature\.\w+|rerere\.(?:enabled|autoupdate)|grep\.(?:linenumber|column|patterntype|extendedregexp|threads|fullname|fallbacktonoindex)|blame\.\w+|submodule\.(?:recurse|fetchjobs)|transfer\.\w+|format\.pretty|i18n\.\w+|stash\.\w+|versionsort\.suffix|branch\.(?:sort|autosetupmerge|autosetuprebase)|checkout\.\w+|maintenance\.\w+|help\.(?:autocorrect|format)|clean\.requireforce|apply\.whitespace|trace2\.eventnesting)$/;
/** Settings whose value git runs. */
const runs =
  /^(?:core\.(?:pager|editor|sshcommand|askpass|fsmonitor|gitproxy|alternaterefscommand)|sequence\.editor|pager\..+|diff\.external|diff\..+\.(?:command|textconv)|difftool\..+\.(?:cmd|path)|merge\..+\.driver|mergetool\..+\.(?:cmd|path)|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?(?:program|defaultkeycommand)|man\..+\.(?:cmd|path)|browser\..+\.(?:cmd|path)|web\.browser|help\.browser|sendemail\.(?:.+\.)?(?:tocmd|cccmd|headercmd|sendmailcmd|smtpserver)|remote\..+\.(?:uploadpack|receivepack|proxy)|uploadpack\.packobjectshook|interactive\.difffilter|trailer\..+\.(?:command|cmd)|submodule\..+\.update|guitool\..+\.cmd|imap\.tunnel|instaweb\.\w+)$/;

/** Whether a setting may name a program. */
export function isOverridden(key: string): boolean {
  return runs.test(key.toLowerCase()) || /^alias\./i.test(key);
}

/** Whether a setting only changes how git prints and the like. */
export function isHarmless(key: string): boolean {
  return harmless.test(key.toLowerCase());
}

/** `key=value` of `git -c`. */
export function openSetting(setting: Word, found: Findings): void {
  const known = onlyValue(setting) ?? setting.lead ?? (setting.values === undefined ? "" : setting.values[0]!);
  const cut = known.indexOf("=");
  const key = (cut === -1 ? known : known.slice(0, cut)).toLowerCase();
  const value = cut === -1 ? literal("true") : wordFrom(setting, cut + 1);
  const text = onlyValue(value);
  if (harmless.test(key) || text === "") return;
  if (/^alias\./.test(key)) openAlias(value, text, found);
  else if (!runs.test(key)) found.force("what git is told by -c");
  else if (key === "core.fsmonitor" && /^(?:true|false|1|0|yes|no)$/i.test(text ?? "")) {
    if (/^(?:true|1|yes)$/i.test(text!)) found.force("what git is told by -c");
  } else if (/^pager\./.test(key) && /^(?:true|false)$/.test(text ?? "")) return;
  else runOrText([text?.startsWith("!") ? wordFrom(value, 1) : value], true, "git", found);
}

/** An alias is a command of git, or text for a shell behind `!`. */
function openAlias(value: Word, text: string | undefined, found: Findings): void {
  if (text === undefined) found.force("what git is told by -c");
  else if (text.startsWith("!")) found.text(wordFrom(value, 1), "an alias of git");
  else runOrText([literal(`git ${text}`)], true, "git", found);
}

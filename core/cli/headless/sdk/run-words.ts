/** A command line as it is known here, and the options of it that change nothing. */
export type RunWords = { words: string[]; ignored: string[] };

/**
 * Programs that drive agents bring a command line of their own: `mortise --output-format stream-json ...`. What it means here is said in the words of
 * `mortise run`; options without a meaning here are left out, and those that nobody knows stay, to be refused. Such programs take an exit code for a crash,
 * so a denied call is none.
 */
export function runWords(given: readonly string[]): RunWords {
  const isRun = given[0] === "run";
  if (!isRun && !(given[0]?.startsWith("-") && given.some(isSign))) return { words: [...given], ignored: [] };
  const words: string[] = ["run"];
  const ignored: string[] = [];
  const rest = isRun ? given.slice(1) : [...given];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      words.push(word, ...rest);
      break;
    }
    const [name = word, value] = split(word);
    const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
    if (meaning === undefined) {
      words.push(word);
      continue;
    }
    const said = meaning.takes === "value" ? (value ?? rest.shift()) : undefined;
    if (name === "--input-format" && said === "stream-json") words.push("--exit-zero-on-denial");
    if (meaning.is !== undefined) words.push(said === undefined ? meaning.is : `${meaning.is}=${said}`);
    else if (meaning.silent !== true && !ignored.includes(name)) ignored.push(name);
  }
  return { words, ignored };
}

type Meaning = { takes: "value" | "nothing"; is?: string; silent?: true };

const renamed = (takes: Meaning["takes"], is: string): Meaning => ({ takes, is });
const silent = (takes: Meaning["takes"]): Meaning => ({ takes, silent: true });
const passedOver = (takes: Meaning["takes"]): Meaning => ({ takes });

/** What restricts a run and has no meaning here is not in it: passing over it would allow what was forbidden. */
const meanings: Readonly<Record<string, Meaning>> = {
  "--output-format": renamed("value", "--output"),
  "--input-format": renamed("value", "--input"),
  "--resume": renamed("value", "--session"),
  "-r": renamed("value", "--session"),
  "--max-budget-usd": renamed("value", "--max-cost"),
  "--dangerously-skip-permissions": renamed("nothing", "--yolo"),
  "--allowedTools": renamed("value", "--sdk-allow"),
  "--disallowedTools": renamed("value", "--sdk-deny"),
  "--tools": renamed("value", "--sdk-tools"),
  "--print": silent("nothing"),
  "-p": silent("nothing"),
  "--permission-prompt-tool": silent("value"),
  "--allow-dangerously-skip-permissions": silent("nothing"),
  "--debug": silent("nothing"),
  "--debug-to-stderr": silent("nothing"),
  "--debug-file": silent("value"),
  "--add-dir": passedOver("value"),
  "--agent": passedOver("value"),
  "--agents": passedOver("value"),
  "--await-initialize": passedOver("nothing"),
  "--betas": passedOver("value"),
  "--effort": passedOver("value"),
  "--fallback-model": passedOver("value"),
  "--include-hook-events": passedOver("nothing"),
  "--json-schema": passedOver("value"),
  "--max-thinking-tokens": passedOver("value"),
  "--mcp-config": passedOver("value"),
  "--plugin-dir": passedOver("value"),
  "--plugin-dir-no-mcp": passedOver("value"),
  "--replay-user-messages": passedOver("nothing"),
  "--session-mirror": passedOver("nothing"),
  "--setting-sources": passedOver("value"),
  "--settings": passedOver("value"),
  "--strict-mcp-config": passedOver("nothing"),
  "--task-budget": passedOver("value"),
  "--thinking": passedOver("value"),
  "--thinking-display": passedOver("value"),
};

/** What no command line of another kind has. */
function isSign(word: string): boolean {
  return /^(?:-p|--print|--(?:output|input)-format(?:=.*)?)$/.test(word);
}

function split(word: string): [string, string?] {
  const at = word.indexOf("=");
  return word.startsWith("--") && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word];
}

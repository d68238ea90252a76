// Teaches: a judge. It sees the command that would run, after every layer, and may only refuse it or ask about it;
// so the plugin needs no right to run anything: `steer` is enough.
import { ask, definePlugin, deny } from "mortise/sdk";

const REASON = "Force pushing is not allowed here. Push to a branch of your own and open a PR instead.";
const UNCLEAR = "This may push with force; what it runs is known only once it runs.";

/** A word of a command; null where only bash knows it. */
type Word = string | null;

/** Options of git that take the next word as their value. */
const TAKES_VALUE = ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source"];

export default definePlugin({ name: "no-force-push", description: "Refuses `git push` with force", steer: ["tool.bash.input"] }, (api) => {
  api.judge("tool.bash.input", async ({ command }) => {
    const { argv, forcePrompt } = await api.syntax.commands(command);
    const verdicts = argv.map(judge);
    if (verdicts.includes("force")) return deny(REASON);
    if (verdicts.includes("unclear") || (forcePrompt && command.includes("push"))) return ask(UNCLEAR);
    return undefined;
  });
});

function judge(words: readonly Word[]): "force" | "unclear" | "fine" {
  const program = words[0]?.split("/").at(-1);
  if (program === undefined) return words.includes("push") ? "unclear" : "fine";
  if (program !== "git") return "fine";
  let at = 1;
  while (words[at]?.startsWith("-")) at += TAKES_VALUE.includes(words[at] ?? "") ? 2 : 1;
  const subcommand = words[at];
  const hidden = subcommand === null || words.slice(1, at).some((word) => word === null || /^(-c)?alias\./.test(word));
  if (hidden) return "unclear";
  if (subcommand !== "push" && subcommand !== "send-pack") return "fine";
  const rest = words.slice(at + 1);
  if (rest.some((word) => word !== null && isForce(word))) return "force";
  return rest.includes(null) ? "unclear" : "fine";
}

/** `--force-with-lease` counts: it rewrites what others have pulled just as well. */
function isForce(word: string): boolean {
  return word.startsWith("--forc") || word.startsWith("--mi") || /^-[a-zA-Z]*f/.test(word) || word.startsWith("+");
}

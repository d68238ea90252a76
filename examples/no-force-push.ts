// Teaches: a judge. It sees the command that would run, after every layer, and may only refuse it or ask about it;
// so a plugin needs no right to run anything: `steer` is enough.
import { ask, definePlugin, deny } from "mortise/sdk";

const REASON = "Force pushing is not allowed here. Push to a branch of your own and open a PR instead.";
const UNCLEAR = "This may push with force; what it runs is only known once it runs.";

/** Options of git that take the next word as their value. */
const TAKES_VALUE = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source"]);

export default definePlugin({ name: "no-force-push", description: "Refuses `git push` with force", steer: ["tool.bash.input"] }, (api) => {
  api.judge("tool.bash.input", async ({ command }) => {
    const { commands, forcePrompt } = await api.syntax.commands(command);
    const verdicts = commands.map(judge);
    if (verdicts.includes("force")) return deny(REASON);
    if (verdicts.includes("unclear") || (forcePrompt && command.includes("push"))) return ask(UNCLEAR);
    return undefined;
  });
});

function judge(command: string): "force" | "unclear" | "fine" {
  const all = command.replace(/["'\\]/g, "").split(/\s+/);
  const words = all.slice(all.findIndex((word) => word !== "" && !/^\w+=/.test(word)));
  if (words[0]?.split("/").at(-1) !== "git") return "fine";
  let at = 1;
  while (words[at]?.startsWith("-")) at += TAKES_VALUE.has(words[at] ?? "") ? 2 : 1;
  if (words.slice(1, at).some((word) => /^(-c)?alias\./.test(word)) || /[$`*?{]/.test(words[at] ?? "")) return "unclear";
  if (words[at] !== "push" && words[at] !== "send-pack") return "fine";
  return words.slice(at + 1).some(isForce) ? "force" : "fine";
}

/** `--force-with-lease` counts: it rewrites what others have pulled just as well. */
function isForce(word: string): boolean {
  return word.startsWith("--forc") || word.startsWith("--mi") || /^-[a-zA-Z]*f/.test(word) || word.startsWith("+");
}

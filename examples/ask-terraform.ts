// Teaches: `ask`. A person has to approve the call, whatever allow rules or yolo say; a deny rule still wins.
import { ask, definePlugin } from "mortise/sdk";

export default definePlugin({ name: "ask-terraform", description: "Asks before live infrastructure changes", steer: ["tool.bash.input"] }, (api) => {
  api.judge("tool.bash.input", async ({ command }) => {
    const { commands, forcePrompt } = await api.syntax.commands(command);
    if (commands.some(changes) || (forcePrompt && command.includes("terraform"))) return ask("This changes live infrastructure.");
    return undefined;
  });
});

function changes(command: string): boolean {
  const words = command.replace(/["'\\]/g, "").split(/\s+/);
  const terraform = words.findIndex((word) => /^(terraform|tofu)$/.test(word.split("/").at(-1) ?? ""));
  return terraform >= 0 && words.slice(terraform + 1).some((word) => word === "apply" || word === "destroy");
}

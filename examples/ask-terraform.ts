// Teaches: `ask`. A person has to approve the call, whatever allow rules or yolo say; a deny rule still wins.
import { ask, definePlugin } from "mortise/sdk";

export default definePlugin({ name: "ask-terraform", description: "Asks before live infrastructure changes", steer: ["tool.bash.input"] }, (api) => {
  api.judge("tool.bash.input", async ({ command }) => {
    const { argv, forcePrompt } = await api.syntax.commands(command);
    if (argv.some(changes) || (forcePrompt && /terraform|tofu/.test(command))) return ask("This changes live infrastructure.");
    return undefined;
  });
});

/** `terraform -chdir=x apply`, and one whose words only bash knows. */
function changes([program, ...words]: readonly (string | null)[]): boolean {
  if (!/(^|\/)(terraform|tofu)$/.test(program ?? "")) return false;
  return words.some((word) => word === null || word === "apply" || word === "destroy");
}

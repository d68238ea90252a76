// Teaches: a plugin of several files. A folder with an `index.ts` is one plugin; what it imports is bundled with it.
import { definePlugin, deny } from "mortise/sdk";
import { ruleFor } from "./rules.ts";

export default definePlugin({ name: "house-rules", description: "What our team agreed on", steer: ["tool.bash.input"] }, (api) => {
  api.judge("tool.bash.input", async ({ command }) => {
    const { argv } = await api.syntax.commands(command);
    const reasons = argv.flatMap((words) => ruleFor(words.join(" ")) ?? []);
    return reasons.length === 0 ? undefined : deny(reasons.join(" "));
  });

  // The team's rules can stand beside the code: a deny counts from wherever it comes.
  api.registerPermissionRule({ tool: "bash", pattern: "npm publish *", effect: "deny" });
});

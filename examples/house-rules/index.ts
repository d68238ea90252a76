// Teaches: a plugin of several files. A folder with an `index.ts` is one plugin; what it imports is bundled with it.
import { definePlugin, deny } from "mortise/sdk";
import { ruleFor } from "./rules.ts";

export default definePlugin({ name: "house-rules", description: "What our team agreed on", steer: ["tool.bash.input"] }, (api) => {
  api.judge("tool.bash.input", async ({ command }) => {
    const { commands } = await api.syntax.commands(command);
    const reasons = commands.flatMap((one) => ruleFor(one) ?? []);
    return reasons.length === 0 ? undefined : deny(reasons.join(" "));
  });

  // The team's rules can stand beside the code; a person's own rules go before them.
  api.registerPermissionRule({ tool: "bash", pattern: "npm publish *", effect: "deny" });
});

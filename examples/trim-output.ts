// Teaches: an output layer. What it drops is never paid for; code that asked for the `full` text gets it whole.
import { definePlugin } from "mortise/sdk";

const NOISE = [
  /^\s*(Compiling|Checking|Downloading|Downloaded|Fresh|Documenting) \S+ v\d/,
  /^\[\s*\d+%\] (Building|Linking|Built) /,
  /^make(\[\d+\])?: (Entering|Leaving) directory /,
  /^> Task :\S+( UP-TO-DATE| NO-SOURCE| FROM-CACHE)?$/,
  /^npm (http fetch|timing|sill) /,
];

export default definePlugin({ name: "trim-output", description: "Drops compiler noise", steer: ["tool.bash.output"] }, (api) => {
  api.setSlot("tool.bash.output", async (prev, _value, ctx) => {
    const output = await prev();
    if (ctx.outputMode === "full") return output;
    const lines = output.text.split("\n");
    const kept = lines.filter((line) => !NOISE.some((noise) => noise.test(line)));
    const dropped = lines.length - kept.length;
    if (dropped === 0) return output;
    return { ...output, text: [...kept, `[${dropped} lines of build noise left out]`].join("\n") };
  });
});

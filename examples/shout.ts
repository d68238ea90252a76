// Teaches: a slot of your own. You name it and say what it does by itself and what a layer costs; others put layers around it.
import { definePlugin } from "mortise/sdk";
import * as z from "zod/mini";

declare module "mortise/sdk" {
  interface DeclaredSlots {
    "shout.render": string;
  }
}

export default definePlugin({ name: "shout", description: "A tool that says things loudly" }, (api) => {
  // An empty list is free for everybody: a layer here only changes some text.
  const render = api.declareSlot("shout.render", (text: string) => text.toUpperCase(), { capability: [] });

  api.registerTool({
    name: "shout",
    description: "Says a text loudly.",
    input: z.object({ text: z.string() }),
    scopes: "none",
    run: async ({ text }) => ({ text: await render(text) }),
  });
});

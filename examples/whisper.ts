// Teaches: a layer on another plugin's slot. It is granted nothing, since the slot's owner made layers free.
import { definePlugin } from "mortise/sdk";

declare module "mortise/sdk" {
  interface DeclaredSlots {
    "shout.render": string;
  }
}

export default definePlugin({ name: "whisper", description: "Puts what `shout` says in brackets" }, (api) => {
  api.setSlot("shout.render", async (prev, text) => `(${await prev(text.trim())})`);
});

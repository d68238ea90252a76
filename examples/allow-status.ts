// Teaches: answering the permission prompt. It looks at the scopes, what the call was understood to do, never at its text.
import { definePlugin } from "mortise/sdk";

export default definePlugin({ name: "allow-status", description: "Allows what only looks", steer: ["permission.prompt"] }, (api) => {
  api.setSlot("permission.prompt", (prev, request) => {
    // `git status; rm -rf x` has two scopes, and of `git status > f` the file is one.
    const looks = request.scopes.length > 0 && request.scopes.every((scope) => scope.onlyReads);
    return looks ? { decision: "allow" } : prev();
  });
});

// Teaches: answering the permission prompt. It looks at the scopes, what the call was understood to do, never at its text.
import { definePlugin } from "mortise/sdk";

/** Words that name a revision or a file inside the folder. */
const NAME = "\\w[\\w.@~^/-]*";
const READS = [
  /^git status( (--short|-s|--branch|-b|-sb|--porcelain))*$/,
  new RegExp(`^git (log|diff|show)( (--oneline|--stat|--graph|--cached|--staged|--name-only|--name-status|-\\d+|${NAME}))*$`),
  /^git (branch --show-current|rev-parse (--show-toplevel|HEAD))$/,
  new RegExp(`^ls( -[1AFahlrt]+)*( ${NAME})*$`),
  /^pwd$/,
];

export default definePlugin({ name: "allow-status", description: "Allows what only looks", steer: ["permission.prompt"] }, (api) => {
  api.setSlot("permission.prompt", (prev, request) => {
    const looks = request.tool === "bash" && request.scopes.length > 0 && request.scopes.every(onlyReads);
    return looks ? { decision: "allow" } : prev();
  });
});

/** `git status; rm -rf x` has two scopes, `git status > f` has one of kind `path`, and `git status $(rm x)` is no plain text. */
function onlyReads(scope: { kind: string; text: string }): boolean {
  return scope.kind === "command" && !/(^|[\s/])\.\.(\/|$)/.test(scope.text) && READS.some((reads) => reads.test(scope.text));
}

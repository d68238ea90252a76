// Teaches: embedding the host. Calls that your program makes go through the same layers, judges and rules as an agent's.
import { createHost } from "mortise";

const host = await createHost({
  plugins: [import.meta.resolve("./no-force-push.ts"), import.meta.resolve("./redact-secrets.ts")].map((url) => new URL(url).pathname),
  rules: [{ tool: "bash", pattern: "echo *", effect: "allow" }],
  // Your own prompt. Without `ask` nobody can answer, and what no rule covers is denied.
  ask: async ({ scopes }) => {
    console.log(`asked about: ${scopes.map((scope) => scope.text).join(", ")}`);
    return { decision: "deny", guidance: "Not in this program." };
  },
});

host.on("ToolDone", ({ tool, ran }) => console.log(`${tool} ${ran ? "ran" : "did not run"}`));

for (const command of ["echo hello", "echo sk-abcdefghijklmnopqrstuvwxyz", "git push --force", "whoami"]) {
  const record = await host.call({ tool: "bash", input: { command } });
  console.log(`${command} -> ${record.text}`);
}

await host.close();

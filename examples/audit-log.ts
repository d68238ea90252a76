// Teaches: autocmds. They watch and change nothing, so they cost nothing: this plugin asks for no right at all.
// Without one it is not shown what the calls contained, only that they happened.
import { definePlugin } from "mortise/sdk";

const KEEP = 200;

export default definePlugin({ name: "audit-log", description: "Keeps a log of calls: /audit shows it" }, (api) => {
  const times = new Map<string, string>();

  api.createAutocmd("PermissionDecided", ({ data }) => {
    times.set(data.toolId, `${data.decision} by ${data.source}`);
  });

  api.createAutocmd("ToolDone", async ({ data }) => {
    const permission = times.get(data.toolId) ?? "not asked";
    times.delete(data.toolId);
    const end = data.stoppedBy === undefined ? (data.ran ? (data.isError ? "failed" : "ran") : "did not run") : `stopped by ${data.stoppedBy}`;
    // One key for each call: two calls that end at once do not overwrite each other.
    await api.store.set(`${String(Date.now()).padStart(15, "0")} ${data.toolId}`, `${data.tool}: ${end}, ${permission}, ${data.bytes} bytes`);
    const keys = (await api.store.keys()).sort();
    for (const old of keys.slice(0, -KEEP)) await api.store.delete(old);
  });

  api.registerCommand({
    name: "audit",
    description: "Shows the last calls",
    run: async () => {
      const keys = (await api.store.keys()).sort();
      const lines = await Promise.all(keys.map((key) => api.store.get(key)));
      return lines.join("\n");
    },
  });
});

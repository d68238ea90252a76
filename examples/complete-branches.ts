// Teaches: a source of completions, and a command. Both run with what the plugin was granted: one program, with these arguments.
import { definePlugin } from "mortise/sdk";

const LIST = ["git", "for-each-ref", "--sort=-committerdate", "--format=%(refname:short)%09%(contents:subject)", "refs/heads"];

export default definePlugin(
  {
    name: "complete-branches",
    description: "Completes git branches after `#`, and lists them with /branches",
    capabilities: { run: ["git for-each-ref *"] },
  },
  (api) => {
    const branches = async () => {
      const { text, exitCode } = await api.run.exec({ argv: LIST, timeoutMs: 900 });
      if (exitCode !== 0) throw new Error(`git says: ${text.trim()}`);
      return text
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.split("\t"))
        .map(([name = "", subject = ""]) => ({ name, subject }));
    };

    api.setSlot("completion.sources", (prev, sources) =>
      prev([
        ...sources,
        {
          trigger: "#",
          name: "branches",
          async complete(query) {
            const found = (await branches()).filter(({ name }) => name.includes(query));
            return found.map(({ name, subject }) => ({ text: `#${name}`, description: subject, score: name.startsWith(query) ? 1 : 0 }));
          },
        },
      ]),
    );

    api.registerCommand({
      name: "branches",
      description: "list the branches, the one that was worked on last first",
      run: async () => (await branches()).map(({ name, subject }) => `${name}  ${subject}`).join("\n") || "There are no branches yet.",
    });
  },
);

import { addresses } from "./git-calls.ts";
import type { Program } from "./program.ts";

export const diffs =
  "-a -b -B? -c -C? -D -G: -g -i -I: -l: -M? -n: -O: -p -q -R -r -s -S: -t -u -U: -w -W -X? -z -m -0 --output:w --ext-diff@a --no-ext-diff --textconv --no-textconv --stat? --numstat --shortstat --name-only --name-status --no-index --cached --staged --merge-base --color? --no-color --word-diff? --word-diff-regex: --diff-filter: --unified: --patch --no-patch --raw --summary --oneline --graph --all --decorate? --no-decorate --format: --pretty? --abbrev? --abbrev-commit --no-abbrev --since: --until: --after: --before: --author: --committer: --grep: --invert-grep --max-count: --skip: --reverse --follow --first-parent --merges --no-merges --branches? --tags? --remotes? --glob: --date: --stdin --topo-order --date-order --left-right --cherry-pick --exit-code --quiet --check --binary --full-index --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-submodules? --submodule? --src-prefix: --dst-prefix: --no-prefix --line-prefix: --relative? --text --minimal --patience --histogram --diff-algorithm: --find-renames? --find-copies? --no-renames --compact-summary --dirstat? --show-signature --notes? --no-notes --simplify-by-decoration --full-history --ancestry-path? --walk-reflogs --no-walk? --source --use-mailmap --log-size --cc --combined-all-paths --function-context --inter-hunk-context: --pickaxe-all --pickaxe-regex --find-object: --orderfile: --ignore-cr-at-eol --color-moved? --color-moved-ws: --no-color-moved --merge-base --exclude: --not --root --max-parents: --min-parents: --show-pulls --children --parents --boundary --count --objects --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --all-match --do-walk --encoding: --expand-tabs? --no-expand-tabs --show-notes? --clear-decorations --decorate-refs: --decorate-refs-exclude: -1 -2 -3 -4 -5 -6 -7 -8 -9 -h@n --help@n";

export const reading = (more = ""): Program => ({ does: "reads", options: `${diffs} ${more}`, operands: "", numbered: true });

export const looking = (): Program => ({ does: "reads", operands: "" });

export const writing = (options = "", more: Partial<Program> = {}): Program => ({ does: "writes", options, operands: "", ...more });

export const talking = (options: string): Program => ({
  does: "network",
  options: `--upload-pack:x --receive-pack:x --exec:x -o: ${options}`,
  special: addresses,
});

export function asked(why: string): Program {
  return { does: "runs", special: (_call, found) => found.force(why) };
}

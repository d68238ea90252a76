import { leadOf, literal } from "../word.ts";
import { joined } from "./builtins.ts";
import { addresses, clone, config, listing } from "./git-calls.ts";
import { asked, diffs, looking, reading, talking, writing } from "./git-kinds.ts";
import { openSetting } from "./git-settings.ts";
import type { Program } from "./program.ts";
import { runOrText } from "./wrapping.ts";

/** Git by its subcommands. One that is not here may be an alias or another program. */
export const git: Program = {
  does: "unknown",
  options:
    "-C:D -c: -p,--paginate -P,--no-pager --git-dir:d --work-tree:d --namespace: --exec-path?a --config-env:a --super-prefix: --attr-source: --list-cmds: --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path@n --man-path@n --info-path@n -v,--version@n -h,--help@n",
  special: ({ options }, found) => {
    for (const { option, value } of options)
      if (option.name === "-c" && value !== undefined) openSetting(value, found);
      // Another repository has settings of its own.
      else if (option.name === "--git-dir" && value !== undefined && !/(?:^|\/)\.git\/?$/.test(leadOf(value)))
        found.force("the settings of another repository");
  },
  subcommands: {
    add: writing(
      "-n,--dry-run -v,--verbose -f,--force -i,--interactive -p,--patch -e,--edit -u,--update -A,--all -N,--intent-to-add --refresh --ignore-errors --chmod: --pathspec-from-file:r --renormalize --sparse",
    ),
    am: writing("-3 -s -k -u -q -i --patch-format: --directory:"),
    annotate: reading("--contents:r"),
    apply: writing(
      "--unsafe-paths@a --build-fake-ancestor:w --check --stat --numstat --summary -R -3 -p: -C: --directory: --exclude: --include: --cached --index -v -q --reject --whitespace:",
      { operands: "r*" },
    ),
    archive: {
      does: "reads",
      options: "-o,--output:w --remote: --exec:x --format: --prefix: -v -l --add-file:r --add-virtual-file: --worktree-attributes",
      operands: "",
    },
    bisect: { does: "writes", subcommands: { run: { does: "runs", special: ({ words }, found) => found.command(words) } } },
    blame: reading(
      "-L: --contents:r --ignore-revs-file:r --ignore-rev: -e -f -k -n --porcelain --incremental --line-porcelain --score-debug --show-email --show-name --show-number",
    ),
    branch: listing(
      /^-(?:-list|a|r|v|vv|-all|-remotes|-contains|-no-contains|-merged|-no-merged|-show-current|-sort|-format|-points-at|-column|-no-column|-color|-no-color|-verbose|-abbrev|-ignore-case|i)(?:=|$)/,
      false,
    ),
    bundle: {
      does: "writes",
      subcommands: {
        create: writing("-q --version: --progress", { operands: "w" }),
        verify: looking(),
        "list-heads": looking(),
        unbundle: writing(),
      },
    },
    "cat-file": looking(),
    "check-attr": looking(),
    "check-ignore": looking(),
    "check-mailmap": looking(),
    "check-ref-format": looking(),
    checkout: writing(),
    cherry: looking(),
    "cherry-pick": writing("-s: --strategy:a -X: -n -x -e -m: -S? --continue --abort --skip --quit"),
    clean: writing("", { exact: true }),
    clone: {
      does: "network",
      options:
        "-u,--upload-pack:x -c,--config: --template:a -o,--origin: -b,--branch: --depth: --shallow-since: --shallow-exclude: --reference:r --reference-if-able:r --separate-git-dir:w -j,--jobs: --filter: --server-option: --bundle-uri: --ref-format: --revision: -l,--local -q,--quiet -v,--verbose -n,--no-checkout -s,--shared --bare --mirror --single-branch --no-single-branch --no-tags --recurse-submodules? --shallow-submodules --sparse --dissociate --progress",
      exact: true,
      special: clone,
    },
    column: looking(),
    commit: writing(
      "-F,--file:r -t,--template:r -m,--message: -C,--reuse-message: -c,--reedit-message: --fixup: --squash: --author: --date: --trailer: --cleanup: -S? --gpg-sign? -a -p -v -q -n -s -e -o -i -u? -z --amend --no-edit --allow-empty --allow-empty-message --no-verify --dry-run --porcelain --short --branch --long --signoff --no-gpg-sign --reset-author --pathspec-from-file:r",
    ),
    config: { does: "reads", special: config },
    "count-objects": looking(),
    credential: asked("what git is told of credentials"),
    daemon: asked("what git serves"),
    describe: looking(),
    diff: reading(),
    "diff-files": reading(),
    "diff-index": reading(),
    "diff-tree": reading(),
    difftool: {
      does: "runs",
      options: `${diffs} -x,--extcmd:x -t,--tool: -y,--no-prompt --prompt -d,--dir-diff --tool-help --trust-exit-code`,
      special: (_call, found) => found.force("the tool that git runs"),
    },
    "fast-export": {
      does: "reads",
      options:
        "--export-marks:w --import-marks:r --import-marks-if-exists:r --all --signed-tags: --tag-of-filtered-object: --progress: --anonymize --no-data",
      operands: "",
    },
    "checkout-index": writing("--prefix:w -a,--all -f,--force -q -n -u --stage: --temp --stdin -z"),
    "index-pack": writing("-o:w -v --stdin --fix-thin --keep? --threads: --index-version: --strict --fsck-objects --rev-index", { operands: "r" }),
    "pack-objects": writing("--all --revs --stdout --progress -q --thin --window: --depth: --threads: --local --non-empty", { operands: "W" }),
    "multi-pack-index": writing("--object-dir:d"),
    "submodule--helper": {
      does: "runs",
      special: ({ words }, found) => {
        found.force("what git runs in other places");
        const at = words.findIndex((word) => word.text === "foreach");
        if (at !== -1) found.text(joined(words.slice(at + 1)), "text for git");
      },
    },
    "filter-repo": asked("what git filters"),
    fetch: talking(
      "-q -v -a -f -k -p -P -t -n -j: --all --append --depth: --deepen: --shallow-since: --shallow-exclude: --unshallow --prune --tags --no-tags --force --dry-run --recurse-submodules? --jobs: --refmap: --set-upstream --server-option: --multiple --atomic --progress --quiet --verbose",
    ),
    "fetch-pack": talking("-q -k --all --depth:"),
    "filter-branch": {
      does: "runs",
      options:
        "--setup:x --subdirectory-filter: --env-filter:x --tree-filter:x --index-filter:x --parent-filter:x --msg-filter:x --commit-filter:x --tag-name-filter:x --prune-empty --original: -d: -f,--force --state-branch:",
      special: (_call, found) => found.force("what git filters"),
    },
    "for-each-ref": looking(),
    "for-each-repo": { does: "runs", special: (_call, found) => found.force("what git runs in other places") },
    "format-patch": {
      does: "writes",
      options: `${diffs} -o,--output-directory:w --stdout --signature-file:r --cover-letter -v: --reroll-count: --subject-prefix: --suffix: --start-number: --numbered --thread? --in-reply-to: --to: --cc: --from? --base: --range-diff: --interdiff:`,
      special: ({ options }, found) => {
        if (options.some(({ option }) => option.name === "--stdout")) return;
        if (!options.some(({ option }) => option.name === "--output-directory")) found.file("write", literal("."), true);
      },
    },
    fsck: looking(),
    "get-tar-commit-id": looking(),
    gc: writing(),
    grep: {
      does: "reads",
      numbered: true,
      options:
        "-aIirwvhHEGPFnlLczoqpW0 -A: -B: -C: -e: -f:r -m: -O?x --open-files-in-pager?x --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --context: --after-context: --before-context: --function-context --threads: --and --or --not --all-match --quiet --cached --no-index --untracked --no-exclude-standard --exclude-standard --recurse-submodules --textconv --no-textconv --max-depth: --recursive --no-recursive --max-count: --parent-basename:",
      operands: "",
    },
    gui: asked("what git runs"),
    ...Object.fromEntries(
      "archimport citool credential-cache credential-store cvsexportcommit cvsimport cvsserver fast-import fsmonitor--daemon gitk hook http-backend http-fetch http-push imap-send maintenance quiltimport remote-fd sh-setup upload-archive"
        .split(" ")
        .map((name) => [name, asked("what git runs or serves")]),
    ),
    "remote-ext": { does: "runs", operands: "_ x" },
    "hash-object": { does: "writes", options: "-t: -w --stdin --stdin-paths --path: --no-filters --literally", operands: "r*" },
    help: looking(),
    init: writing("--template:a --separate-git-dir:w -b,--initial-branch: --bare -q --shared? --object-format: --ref-format:", { operands: "W" }),
    instaweb: {
      does: "runs",
      options: "-l -d,--httpd:x -m: -p: -b,--browser:x --start --stop --restart",
      special: (_call, found) => found.force("what git serves"),
    },
    "interpret-trailers": {
      does: "reads",
      options: "--in-place@a --trailer: --where: --if-exists: --if-missing: --parse --only-trailers --only-input --unfold --trim-empty --no-divider",
      operands: "r*",
    },
    log: reading("-L:"),
    "ls-files": looking(),
    "ls-remote": talking("-h -t -q --heads --branches --tags --refs --quiet --exit-code --get-url --sort: --symref --server-option:"),
    "ls-tree": looking(),
    mailinfo: writing("", { operands: "w w" }),
    mailsplit: writing("-o:W"),
    merge: writing(
      "-s,--strategy:a -X,--strategy-option: -F,--file:r -m: -S? --no-ff --ff --ff-only --squash --no-commit --commit --no-edit --edit --abort --continue --quit -q -v --log? --no-log --stat -n --into-name: --allow-unrelated-histories --no-verify --autostash --signoff",
    ),
    "merge-base": looking(),
    "merge-file": {
      does: "writes",
      options: "-p -q -L: --ours --theirs --union --diff3 --zdiff3 --marker-size: --object-id --stdout",
      operands: "W r r",
    },
    "merge-tree": looking(),
    mergetool: asked("the tool that git runs"),
    mv: writing("-f -k -n -v", { operands: "W*" }),
    "name-rev": looking(),
    notes: writing(),
    p4: asked("what git runs"),
    "pack-refs": writing(),
    prune: writing(),
    pull: talking(
      "-q -v -r? -n -s:a -X: -S? -f -p -j: --rebase? --no-rebase --ff --ff-only --no-ff --squash --no-commit --commit --edit --no-edit --strategy:a --autostash --all --depth: --tags --prune --force --unshallow --allow-unrelated-histories --no-verify --stat --log? --set-upstream --recurse-submodules?",
    ),
    push: talking(
      "-q -v -n -f -d -u -4 -6 --all --branches --mirror --tags --follow-tags --no-follow-tags --delete --prune --force --force-with-lease? --no-force-with-lease --force-if-includes --repo: --set-upstream --dry-run --porcelain --atomic --thin --no-thin --signed? --no-signed --push-option: --no-verify --progress --quiet --verbose --recurse-submodules:",
    ),
    "range-diff": reading("--creation-factor: --no-dual-color --left-only --right-only"),
    "read-tree": writing("-m -u -i -n -v --reset --prefix: --index-output:w --empty"),
    rebase: writing(
      "-x,--exec:x -s,--strategy:a -X,--strategy-option: -i,--interactive --onto: -r? --rebase-merges? -q -v -n -f -k -C: -S? --root --continue --abort --skip --quit --edit-todo --show-current-patch --autosquash --no-autosquash --autostash --no-autostash --keep-base --fork-point --signoff --no-verify --stat --no-stat --update-refs --empty: --committer-date-is-author-date --reset-author-date --whitespace:",
    ),
    reflog: listing(/^-/, true),
    remote: {
      does: "reads",
      operands: "",
      options: "-v,--verbose",
      subcommands: {
        "": looking(),
        show: { does: "network", operands: "" },
        "get-url": looking(),
        add: writing("-t: -m: -f --tags --no-tags --mirror?", { special: addresses }),
        "set-url": writing("--push --add --delete", { special: addresses }),
        rename: writing(),
        remove: writing(),
        rm: writing(),
        prune: { does: "network", operands: "" },
        update: { does: "network", operands: "" },
        "set-head": writing(),
        "set-branches": writing(),
      },
    },
    repack: writing(),
    replace: writing(),
    "request-pull": { does: "network", operands: "" },
    rerere: writing(),
    reset: writing(),
    restore: writing(
      "-s,--source: -S,--staged -W,--worktree -p,--patch -q -m --ours --theirs --conflict: --overlay --no-overlay --progress --pathspec-from-file:r --ignore-unmerged --recurse-submodules",
      { operands: "W*" },
    ),
    revert: writing("-e --no-edit -m: -n -S? -s --strategy:a -X: --continue --abort --skip --quit --no-commit --signoff"),
    "rev-list": reading(
      "--stdin --header --timestamp --disk-usage? --bisect --bisect-vars --bisect-all --use-bitmap-index --filter: --in-commit-order --unpacked --missing:",
    ),
    "rev-parse": looking(),
    rm: writing("-f,--force -n,--dry-run -r --cached -q,--quiet --ignore-unmatch --sparse --pathspec-from-file:r", { operands: "W*" }),
    "send-email": {
      does: "network",
      options:
        "--smtp-server:x --sendmail-cmd:x --to-cmd:x --cc-cmd:x --header-cmd:x --from: --to: --cc: --bcc: --subject: --smtp-user: --smtp-pass: --smtp-encryption: --smtp-server-port: --smtp-ssl-cert-path:r --annotate --compose --dry-run",
    },
    "send-pack": talking("-q -v -n -f --all --mirror --atomic --thin"),
    "sh-i18n": looking(),
    shell: asked("what git runs"),
    shortlog: reading("-e -s --summary --numbered --email --group: -w?"),
    show: reading(),
    "show-branch": looking(),
    "show-index": looking(),
    "show-ref": looking(),
    "sparse-checkout": writing(),
    stash: {
      does: "writes",
      subcommands: {
        list: reading(),
        show: reading(),
        push: writing("-m,--message: -p -k -u -a -q -S --pathspec-from-file:r"),
        pop: writing(),
        apply: writing(),
        drop: writing(),
        clear: writing(),
        branch: writing(),
        create: writing(),
        store: writing(),
        save: writing(),
      },
    },
    status: looking(),
    stripspace: looking(),
    submodule: {
      does: "writes",
      options: "-q,--quiet",
      subcommands: {
        foreach: {
          does: "runs",
          options: "--recursive -q,--quiet",
          stops: true,
          operands: "text",
          special: ({ rest }, found) =>
            rest.length === 1 ? found.text(rest[0]!, "text for git submodule foreach") : runOrText(rest, true, "git submodule foreach", found),
        },
        status: looking(),
        summary: looking(),
        add: { does: "network", options: "-b: -f --name: --reference:r --depth:", special: addresses },
        update: {
          does: "network",
          options: "--init --recursive --remote -N --no-fetch -f --checkout --merge --rebase --reference:r --depth: -j: --jobs:",
          operands: "",
        },
        init: writing(),
        deinit: writing(),
        sync: writing(),
        "set-url": writing("", { special: addresses }),
        "set-branch": writing(),
        absorbgitdirs: writing(),
      },
    },
    svn: asked("what git runs"),
    switch: writing(),
    "symbolic-ref": writing(),
    tag: listing(
      /^-(?:-list|l|n\d*|-contains|-no-contains|-merged|-no-merged|-sort|-format|-points-at|-column|-no-column|-color|-no-color|-ignore-case|i)(?:=|$)/,
      false,
    ),
    "update-index": writing(),
    "update-ref": writing(),
    "update-server-info": writing(),
    "upload-pack": asked("what git serves"),
    "receive-pack": asked("what git serves"),
    var: looking(),
    "verify-commit": looking(),
    "verify-pack": looking(),
    "verify-tag": looking(),
    version: looking(),
    "web--browse": asked("what git runs"),
    whatchanged: reading(),
    worktree: {
      does: "writes",
      subcommands: {
        list: looking(),
        add: writing("-f -b: -B: -d --detach --checkout --no-checkout --lock --reason: -q --track --guess-remote --orphan", { operands: "W _" }),
        remove: writing("-f --force", { operands: "W" }),
        move: writing("-f --force", { operands: "_ W" }),
        prune: writing(),
        lock: writing(),
        unlock: writing(),
        repair: writing(),
      },
    },
    "write-tree": writing(),
    lfs: { does: "network" },
  },
};

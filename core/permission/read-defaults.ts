import { homedir } from "node:os";
import { sep } from "node:path";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { Rule } from "./permission.ts";

/** Tools that read files, each by a path. */
const readers = ["read", "list", "glob", "grep", "index"];

/** What holds secrets, wherever it lies: reading it asks, also where its folder is allowed. */
const secrets: Readonly<Record<string, readonly string[]>> = {
  environment: ["/**/.env", "/**/.env.*", "/**/.env~", "/**/*.env", "/**/.envrc", "/proc/**/environ"],
  keys: [
    "/**/.ssh/**",
    "/**/.gnupg/**",
    "/**/id_rsa",
    "/**/id_dsa",
    "/**/id_ecdsa",
    "/**/id_ecdsa_sk",
    "/**/id_ed25519",
    "/**/id_ed25519_sk",
    "/**/*.pem",
    "/**/*.PEM",
    "/**/*.key",
    "/**/*.KEY",
    "/**/*.p8",
    "/**/*.p12",
    "/**/*.P12",
    "/**/*.pfx",
    "/**/*.PFX",
    "/**/*.jks",
    "/**/*.keystore",
    "/**/*.ppk",
    "/**/*.kdbx",
    "/etc/ssl/private/**",
    "/**/.local/share/keyrings/**",
    "/**/Library/Keychains/**",
    "/**/.password-store/**",
    "/**/.config/sops/age/**",
  ],
  accounts: [
    "/**/.aws/**",
    "/**/.azure/**",
    "/**/.kube/**",
    "/**/.docker/config.json",
    "/**/.dockercfg",
    "/**/.config/containers/auth.json",
    "/**/.config/gcloud/**",
    "/**/.config/gh/hosts.yml",
    "/**/.config/glab-cli/config.yml",
    "/**/.config/op/**",
    "/**/.config/hub",
    "/**/.config/doctl/config.yaml",
    "/**/.config/rclone/rclone.conf",
    "/**/.oci/config",
    "/**/.databrickscfg",
    "/**/.s3cfg",
    "/**/.boto",
    "/**/.kaggle/kaggle.json",
    "/**/.huggingface/token",
    "/**/.cache/huggingface/token",
    "/**/.composer/auth.json",
    "/**/.m2/settings.xml",
    "/**/*.tfstate",
    "/**/.terraform.d/credentials.tfrc.json",
    "/**/service-account*.json",
    "/**/.netrc",
    "/**/_netrc",
    "/**/.git-credentials",
    "/**/.config/git/credentials",
    "/**/.npmrc",
    "/**/.yarnrc.yml",
    "/**/.pypirc",
    "/**/.gem/credentials",
    "/**/.cargo/credentials",
    "/**/.cargo/credentials.toml",
    "/**/.pgpass",
    "/**/.my.cnf",
    "/**/.vault-token",
    "/etc/shadow*",
    "/etc/gshadow*",
  ],
  histories: ["/**/.bash_history", "/**/.zsh_history", "/**/.node_repl_history", "/**/.python_history", "/**/.psql_history", "/**/.mysql_history"],
  browsers: [
    "/**/.mozilla/**",
    "/**/.config/google-chrome/**",
    "/**/.config/chromium/**",
    "/**/Library/Application Support/Firefox/**",
    "/**/Library/Application Support/Google/Chrome/**",
  ],
  agents: [
    "/**/.claude.json",
    "/**/.claude/.credentials.json",
    "/**/.codex/auth.json",
    "/**/.gemini/oauth_creds.json",
    "/**/.gemini/google_accounts.json",
    "/**/.qwen/oauth_creds.json",
    "/**/.local/share/opencode/auth.json",
    "/**/.config/github-copilot/**",
    "/**/.copilot/config.json",
    "/**/.local/share/amp/secrets.json",
    "/**/.local/share/crush/crush.json",
    "/**/.config/goose/secrets.yaml",
    "/**/.cline/data/secrets.json",
    "/**/.factory/auth.json",
    "/**/.pi/agent/auth.json",
    "/**/.aider.conf.yml",
  ],
};

export type ReadDefaultsOptions = {
  /** Canonical. */
  project: string;
  /** Files that the host itself named to the model, canonical. */
  named: Iterable<string>;
  /** Whether a person said what counts for the tool where no rule decides: then nothing is allowed here. */
  hasDefault(tool: string): boolean;
};

/** What the host itself says about reading: the project and files it named are read without asking, secrets are not. Any rule of a person's stands above. */
export function readDefaults({ project, named, hasDefault }: ReadDefaultsOptions): Rule[] {
  // A project that has the user's home in it is none.
  const allow = [...(isInside(homedir(), project) ? [] : [`${project === sep ? "" : project}/**`]), ...named];
  return [...asks, ...readers.filter((tool) => !hasDefault(tool)).flatMap((tool) => allow.map((pattern) => allowed(tool, pattern)))];
}

/** Whether reading a file asks since it holds secrets. The path is canonical. */
export function isSecret(path: string): boolean {
  const slashed = sep === "/" ? path : `/${path.split(sep).join("/")}`;
  const end = slashed.lastIndexOf("/") + 1;
  return (begins(slashed.slice(end)) || folderBegins(slashed.slice(0, end))) && all.test(slashed);
}

/** Whether a part of such a path may have this name: an expression for names is a hundred times faster than the one for paths. */
function begins(name: string): boolean {
  return suffixes.test(name) || names.test(name);
}

/** Files come by their folders. */
let [lastFolder, lastBegins] = ["", false];

function folderBegins(folder: string): boolean {
  if (folder !== lastFolder) [lastFolder, lastBegins] = [folder, folder.split("/").some(begins)];
  return lastBegins;
}

const asks: readonly Rule[] = readers.flatMap((tool) =>
  Object.entries(secrets).flatMap(([kind, patterns]) =>
    patterns.map((pattern): Rule => ({ tool, pattern, effect: "ask", layer: "builtin", from: `secrets (${kind})` })),
  ),
);

/** Whether a rule is one of the table above: it matches no file that `isSecret` says is none. */
export function isAboutSecrets(rule: Rule): boolean {
  return ofTable.has(rule);
}

const ofTable: ReadonlySet<Rule> = new Set(asks);
const patterns = Object.values(secrets).flat();

/** The first parts of the patterns: plain names, `*.suffix`, and the rest. */
const firstParts = [...new Set(patterns.map((pattern) => pattern.split("/").find((part) => part !== "" && part !== "**") ?? "*"))];
const suffixes = new RegExp(
  `(?:${firstParts
    .filter((part) => part.startsWith("*"))
    .map((part) => textOf(part.slice(1)))
    .join("|")})$`,
  "s",
);
const names = new RegExp(
  `^(?:${firstParts
    .filter((part) => !part.startsWith("*"))
    .map(textOf)
    .join("|")})$`,
  "s",
);

/** One expression for all of them, since a search asks about every file that it finds something in. */
const all = new RegExp(expressionOf(patterns), "s");

/** Globs that every such file fits, wherever a search begins: the last part of each pattern, or what is before a `**` at its end. */
export const secretNames: readonly string[] = [...new Set(patterns.map((pattern) => `**/${/[^/]+(?:\/\*\*)?$/.exec(pattern)?.[0] ?? "*"}`))];

/** The patterns above have stars only: `**` as a whole part, `*` in names. Those that may begin anywhere are tried at each part of a path. */
function expressionOf(globs: readonly string[]): string {
  const open = "/**/";
  const anywhere = globs.filter((glob) => glob.startsWith(open)).map((glob) => textOf(glob.slice(open.length)));
  // A rule for entries that begin so takes what is below them, too.
  const anchored = globs.filter((glob) => !glob.startsWith(open)).map((glob) => textOf(glob.slice(1)) + (/[^*]\*$/.test(glob) ? "(?:/.*)?" : ""));
  return `/(?:${anywhere.join("|")})$|^/(?:${anchored.join("|")})$`;
}

function textOf(glob: string): string {
  const parts = glob.split("/").map((part, at, all) => {
    if (part === "**") return at === all.length - 1 ? "(?:/.*)?" : "(?:/[^/]+)*";
    const name = part.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
    return at === 0 ? name : `/${name}`;
  });
  return parts.join("");
}

/** One object each, so that what was made ready of a rule is found again. */
const made = new Map<string, Rule>();

function allowed(tool: string, pattern: string): Rule {
  const key = `${tool} ${pattern}`;
  const rule = made.get(key) ?? {
    tool,
    pattern,
    effect: "allow",
    layer: "builtin",
    from: pattern.endsWith("/**") ? "the project" : "a file that the host named",
  };
  made.set(key, rule);
  return rule;
}

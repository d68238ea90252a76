import { isHostInternal, isSecret } from "../secrets.ts";

/** Nobody is there to answer: no editor, no pager, no question. */
const unattended: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  EDITOR: "true",
  VISUAL: "true",
  GIT_MERGE_AUTOEDIT: "no",
  GIT_ASKPASS: "true",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  AWS_PAGER: "",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
};

/** Variables that a plugin may set on the programs of a scoped grant: they do not change what runs. */
const settable = /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|CI)$/;

export type ChildEnvironmentOptions = {
  /** Names of secrets or internals that are passed on all the same. */
  passSecrets: readonly string[];
  /** What the request sets. */
  set: Readonly<Record<string, string>>;
  /** Tells the programs of one job from all others. */
  marker: string;
};

export const MARKER_VARIABLE = "MORTISE_JOB";

/** The environment of a program: the host's, without secrets and what is about the host itself, made unattended. */
export function childEnvironment(host: NodeJS.ProcessEnv, { passSecrets, set, marker }: ChildEnvironmentOptions): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined) continue;
    if (passSecrets.includes(name) || !(isSecret(name) || isHostInternal(name))) child[name] = value;
  }
  const outer = host[MARKER_VARIABLE];
  return { ...child, ...unattended, ...set, [MARKER_VARIABLE]: outer === undefined ? marker : `${outer}:${marker}` };
}

/** The first variable that a scoped grant does not let a plugin set. */
export function notSettable(set: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(set).find((name) => !settable.test(name));
}

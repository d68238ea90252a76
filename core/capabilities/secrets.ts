/**
 * The one table of variables that hold secrets: kept from `env.get` unless a grant names them,
 * and from every child process unless the config passes them on.
 */
const secrets: readonly RegExp[] = [
  /(^|_)(api_?)?keys?$/i,
  /(^|_)(access|api|private|secret|signing|encryption)_?key(_|$)/i,
  /(^|_)(token|secrets?|passwords?|passwd|passphrase|credentials?|bearer|jwt)(_|$)/i,
  /(^|_)(pass|pwd|auth|pat|cookie|authtoken|dsn|connection_string|webhook_url)$/i,
  /^(aws|vault|op_session|bw)_/i,
  /^(pgpassword|pgpass|docker_auth_config|kube_?config_data|actions_id_token_request_url)$/i,
  /(^|_)(database|db|postgres|postgresql|mysql|mongo|mongodb|redis|amqp|rabbitmq|elasticsearch)_(url|uri)$/i,
  /apikey|authtoken|password/i,
];

/** The shell's own folder variables look like passwords. */
const harmless = new Set(["PWD", "OLDPWD"]);

/** Variables that are about the host's own process, or change what a command that was approved runs. */
const internals: readonly RegExp[] = [
  /^NODE_(OPTIONS|PATH|CHANNEL_FD|CHANNEL_SERIALIZATION_MODE|UNIQUE_ID|V8_COVERAGE|COMPILE_CACHE|REPL_EXTERNAL_MODULE|TEST_CONTEXT)$/,
  /^ELECTRON_RUN_AS_NODE$/,
  /^(LD_|DYLD_|Malloc)/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|PS4|PROMPT_COMMAND)$/,
  /^BASH_FUNC_/,
];

export function isSecret(name: string): boolean {
  return !harmless.has(name) && secrets.some((pattern) => pattern.test(name));
}

export function isHostInternal(name: string): boolean {
  return internals.some((pattern) => pattern.test(name));
}

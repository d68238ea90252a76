/**
 * Every error of the host, as a code with what it says and what to do about it.
 * Both worlds read this table; test `code`, never the class, since classes do not cross isolates.
 */
export const codes = {
  // One call
  unknown_tool: ["No tool has this name", "Use one of the names `mortise tools` lists"],
  not_in_audience: ["This tool is not offered to the caller", "Call it from an audience it names"],
  invalid_input: ["The input does not fit the tool's schema", "Send the call again with the input corrected"],
  denied: ["The call was not allowed", "Do not try it again unchanged"],
  stopped: ["A plugin stopped the call", "Read its reason"],
  nobody_there: ["Nobody is there to answer", "Go on without asking"],
  cancelled: ["The call was cancelled", "Nothing more of it will run"],
  deadline_passed: ["The time for this was up", "Ask for less, or for more time"],
  withheld: ["The text was withheld because a guard of it failed", "See `mortise logs` for the plugin's failure"],
  tool_failed: ["The tool failed", "Read what it says"],
  stale_file: ["The file changed since it was read", "Read it again first"],
  // A layer, judge, redactor, autocmd or tool of a plugin
  plugin_threw: ["The plugin threw an error", "See `mortise logs`"],
  wrong_answer: ["The plugin gave an answer that this slot does not take", "See docs/slots.md for the answers it takes"],
  slice_overrun: ["The plugin used up its slice of processor time in one turn", "Do less per turn, or raise `sliceMs` in the config"],
  budget_overrun: ["The plugin used up its budget of processor time for the call", "Do less, or raise `budgetMs` in the config"],
  window_overrun: ["The plugin did not answer within its window", "Answer sooner; a promise that never settles ends here"],
  memory_exceeded: ["The plugin used more memory than its limit", "Keep less, or raise `memoryMb` in the config"],
  payload_too_large: ["The value is too large to leave the isolate", "Return less"],
  too_many_requests: ["The plugin asked for too many things at once", "Await what was asked for first"],
  isolate_lost: ["The plugin's isolate was ended while this ran", "Call again"],
  runner_lost: ["The process that ran the plugin ended", "Call again; the call may have had effects"],
  prev_consumed: ["`prev` works once, and was consumed", "Keep the value that the first call gave"],
  prev_expired: ["`prev` expired, since its layer has answered", "Await `prev` before answering"],
  stopped_below: ["A layer below stopped the call", "Let the error pass, or answer `deny`"],
  never_settles: ["The code waits for a promise that nothing will settle", "Look at what it awaits last"],
  printed_too_much: ["The code printed too much", "Print less"],
  too_deep: ["Slots or autocmds called each other too deeply", "Break the cycle"],
  plugin_disabled: [
    "The plugin is disabled after repeated failures",
    "Switch its guards off with `mortise plugins disable NAME`, or fix it and run `mortise plugins enable NAME`",
  ],
  // Loading
  plugin_not_found: ["No plugin file is there", "Check the path"],
  plugin_unreadable: ["The plugin file cannot be read", "Check its permissions"],
  plugin_not_compiled: ["The plugin does not compile", "Fix the place named"],
  plugin_undefined: ["The file's default export is no plugin", "Export `definePlugin({ name }, setup)` as the default"],
  plugin_invalid: ["The plugin's definition is not valid", "Fix the field named"],
  plugin_registers_nothing: ["The plugin registers nothing", "Register a layer, judge, redactor, autocmd, tool or command in its setup"],
  plugin_name_taken: ["Two plugins have the same name", "Rename or remove one of them"],
  tool_name_taken: ["Another plugin has a tool of this name", "Rename the tool"],
  slot_reserved: [
    "Slots under tool., ui., agent. and permission. belong to the host",
    "Layer it with `setSlot`, or declare a name that starts with the plugin's own",
  ],
  slot_taken: ["This slot is declared already", "A name belongs to its first owner for the life of the process"],
  unknown_slot: ["No slot has this name", "See docs/reference.md for the slots there are"],
  unknown_event: ["No autocmd event has this name", "See docs/reference.md for the events there are"],
  source_unknown: ["This isolate knows no such source of completions", "Give it `complete` in a layer on `completion.sources`"],
  layer_cycle: ["`before` and `after` form a cycle", "Drop one of them"],
  registered_late: ["Registration is over once `setup` has resolved", "Register in `setup`"],
  manifest_changed: ["The plugin registered something else than when it was described", "Register the same in every run"],
  describing: ["No capability works while the plugin is described", "Use capabilities in handlers, not in `setup`"],
  unknown_plugin: ["No plugin has this name", "Use one of the names `mortise plugins` lists"],
  // Capabilities
  not_granted: ["The plugin was not granted this", "Ask for it in the definition, then run `mortise grant NAME`"],
  protected_path: ["This path is protected", "A person has to approve each use"],
  file_failed: ["The file operation failed", "See the reason named"],
  bad_pattern: ["The pattern is no valid regular expression", "Correct it, or search for the text itself with `literal`"],
  run_failed: ["The program could not be started", "Check its name and folder"],
  no_folder: ["The working directory does not exist", "Name an existing folder"],
  unknown_job: ["No job has this id here", "Use an id that `api.run.start` gave to this plugin"],
  net_refused: ["The request was refused", "Ask for a host in the grant; private addresses need the user's config"],
  net_failed: ["The request failed", "See the reason named"],
  not_here: ["This cannot be used here", "See docs/reference.md for where it can"],
  unknown_command: ["No plugin has this command", "Use one of the commands that `/help` lists"],
  unknown_method: ["No capability has this method", "See docs/reference.md"],
  wrong_argument: ["The method was given something it does not take", "See docs/reference.md for what it takes"],
  syntax_failed: ["The text could not be parsed", "Treat it as not understood"],
  // Models
  unknown_model: ["There is no such model", "Name one as provider/name; `models` in the config adds providers"],
  package_missing: [
    "The package of this provider is not installed",
    "Install it, or ask the provider through a server that speaks the OpenAI protocol",
  ],
  key_missing: ["This provider has no key that it may use", "Set the variable, or `key` of the provider in the config"],
  not_recorded: ["The recording holds no answer to this request", "Record it anew, or ask the same"],
  // Runs
  model_failed: ["The model could not answer", "See the reason named"],
  model_key_refused: ["The provider refused the key", "Check the key of this provider"],
  model_timeout: ["The model did not answer in time", "Try again, or choose another model"],
  llm_idle: ["The model went quiet", "Try again, or choose another model"],
  context_overflow: ["The conversation is longer than the model takes", "Compact it, or choose a model with a larger window"],
  context_budget_exhausted: ["Compaction cannot make enough room", "Begin a new session, or choose a model with a larger window"],
  summary_failed: ["The conversation could not be summed up", "Try again; nothing of it was lost"],
  permission_timeout: ["Nobody answered in time", "Go on without asking"],
  // Files and the command line
  file_broken: ["A settings file does not parse", "Fix the place named; nothing was loaded"],
  not_trusted: ["The folder is not trusted", "Run `mortise trust add`"],
  store_busy: ["Another process holds the lock of this file", "Try again"],
  usage: ["The command line is not valid", "See `mortise --help`"],
  no_session: ["No session has this id", "See `mortise session list --global`, and `mortise trace`"],
  session_locked: ["The session is in use", "End the process that has it, or go on in a copy of the session"],
  session_exists: ["A session has this id already", "Choose another id, or open that session"],
  session_broken: ["Nothing can be added to the session's log", "`mortise session export` shows what of it can be read"],
  internal: ["Something inside the host failed", "Please report it with the log"],
} as const satisfies Record<string, readonly [says: string, advice: string]>;

export type Code = keyof typeof codes;

export type ErrorDetail = {
  /** The value seen, or the place, in a few words. */
  seen?: string;
  /** The plugin whose code failed, where one did. */
  plugin?: string;
  cause?: unknown;
};

/** The one error of the host. Its message is the code's sentence, the value seen, and what to do. */
export class MortiseError extends Error {
  override name = "MortiseError";
  readonly code: Code;
  readonly seen: string | undefined;
  readonly plugin: string | undefined;

  constructor(code: Code, detail: ErrorDetail = {}) {
    super(sentence(code, detail.seen), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.seen = detail.seen;
    this.plugin = detail.plugin;
  }
}

/** What a person or model reads for a code: `Says: seen. What to do.` */
export function sentence(code: Code, seen?: string): string {
  const [says, advice] = codes[code];
  return seen === undefined || seen === "" ? `${says}. ${advice}.` : `${says}: ${seen}${/[.?!]$/.test(seen.slice(-1)) ? "" : "."} ${advice}.`;
}

/** What `sentence` was given, read back from what it made; a message that it did not make is all that was seen. */
export function seenIn(code: Code, message: string): string {
  const [says, advice] = codes[code];
  if (message === sentence(code)) return "";
  const [head, tail] = [`${says}: `, ` ${advice}.`];
  return message.startsWith(head) && message.endsWith(tail) ? message.slice(head.length, message.length - tail.length) : message;
}

export function isCode(value: unknown): value is Code {
  return typeof value === "string" && Object.hasOwn(codes, value);
}

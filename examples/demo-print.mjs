const COLUMNS = 80;
const INDENT = 12;
const LINES = 6;

/** Prints one call: what the model wrote, what ran, who did what to it, and how long each layer took. */
export function print(number, step, call, expected) {
  console.log(`\n${number}. ${step.title}`);
  row("wrote", step.command);
  row("ran", call.ran ? call.input.command : "nothing");
  const trace = call.trace ?? [];
  for (const entry of trace.filter((one) => one.outcome !== "passed")) row("who", `${entry.plugin} ${deed(entry, call)} (${time(entry.ms)} ms)`);
  if (call.permission?.source === "person") row("", "a person allowed it");
  const passed = trace.filter((one) => one.outcome === "passed");
  const [before, after] = [passed.filter(isBefore), passed.filter((entry) => !isBefore(entry))];
  if (before.length > 0) row("unchanged", `before, in ms: ${before.map(timed).join(", ")}`);
  if (after.length > 0) row(before.length > 0 ? "" : "unchanged", `after, in ms: ${after.map(timed).join(", ")}`);
  if (step.note !== undefined) row("note", step.note);
  row("text", clipped(call.text ?? ""));
  row("took", `${Math.round(call.durationMs ?? 0)} ms, exit code ${call.exit}`);
  if (!expected) row("WRONG", "this is not what was expected");
}

export function printEnd(steps, wrong) {
  console.log(`\n${steps - wrong} of ${steps} calls went as expected.`);
  if (wrong === 0) console.log("The plugins are in examples/, each about 30 lines. Next: docs/quick-start.md");
}

function deed({ kind, outcome, slot, reason }, call) {
  if (slot === "permission.prompt") return `answered the prompt: ${call.permission.decision}`;
  const what =
    { changed: `changed the ${slot.split(".").at(-1)}`, denied: "stopped it", asked: "asked", responded: "answered it" }[outcome] ?? outcome;
  const done = kind === "redactor" && outcome === "changed" ? "redacted" : what;
  return reason === undefined || outcome === "responded" ? done : `${done}: ${reason}`;
}

/** Whether it was asked before the tool ran. */
function isBefore({ slot }) {
  return slot.endsWith(".input") || slot === "permission.prompt";
}

function timed({ plugin, ms }) {
  return `${plugin} ${time(ms)}`;
}

function time(ms) {
  return ms === null ? "unfinished" : ms.toFixed(1);
}

function clipped(text) {
  const lines = text.trimEnd().split("\n");
  return lines.length <= LINES ? lines.join("\n") : [...lines.slice(0, LINES), `(${lines.length - LINES} more lines)`].join("\n");
}

function row(label, text) {
  const [first, ...rest] = text.split("\n").flatMap((line) => wrap(line, COLUMNS - INDENT - 3));
  console.log(`   ${label.padEnd(INDENT)}${first ?? ""}`.trimEnd());
  for (const line of rest) console.log(`   ${" ".repeat(INDENT)}${line}`.trimEnd());
}

function wrap(line, width) {
  if (line.length <= width) return [line];
  const space = line.lastIndexOf(" ", width);
  const at = space > width / 3 ? space : width;
  return [line.slice(0, at), ...wrap(line.slice(at).trimStart(), width)];
}

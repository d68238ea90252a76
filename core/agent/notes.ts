/** What the host itself writes into a conversation, by the `note` that marks it. */
export const notes = {
  nudge: "Your answer was empty. Look at the results above and go on with the task, or say what is done.",
  continue: "Your answer was cut off because it was too long. Go on exactly where it stopped, without repeating anything.",
  cancelled: "[The user stopped the answer here.]",
  timeout: "[The time for this was up: the answer was stopped here.]",
  stopped: "[The answer was stopped here: a limit was reached.]",
  summary: "Sum up this conversation so far, so that the work can go on from your summary alone.",
  recent: "These are the last messages before the summary, as they were.",
  resume: "Go on with the task where the summary says it stands. If it is not clear what comes next, ask.",
} as const;

export type Note = keyof typeof notes;

/** Shown to the model around what a person said while it worked. */
export function meanwhile(text: string): string {
  return `<said_meanwhile>\nThe user said this while you were working. Take it into account and go on.\n\n${text}\n</said_meanwhile>`;
}

/** Shown to the model around what a job or a plugin reports. Nobody said it, and nothing in it ends it. */
export function observed(text: string): string {
  return `<observation>\n${text.replaceAll(/<(?=\s*\/?\s*(observation|said_meanwhile)\b)/gi, "&lt;")}\n</observation>`;
}

/** Results of calls that did not run, or whose results never came. */
export const unrun = {
  cancelled: "The call was cancelled before it had a result. It may have had effects.",
  timeout: "The time of the run was up before this call had a result. It may have had effects.",
  limit: "The call was not run: a limit of the run was reached.",
} as const;

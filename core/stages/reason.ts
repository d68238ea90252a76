import { capText } from "../output/cap.ts";

/** Characters kept of what a plugin says about a call: a model and a person read it whole. */
export const REASON_CHARS = 8_192;

/** Why a plugin denied or asked, in its words. */
export function reasonOf(plugin: string, said: string): string {
  return said.trim() === "" ? `${plugin} gave no reason.` : capText(said, REASON_CHARS).text;
}

/** What a model reads where a guard failed and so stopped the call. */
export function guardFailed(failure: { plugin: string; message: string }): string {
  return `The guard ${failure.plugin} failed, and so the call was stopped: ${failure.message}`;
}

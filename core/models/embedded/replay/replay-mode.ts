/** `strict`: a request has to be one that was recorded. `turn`: the answer counts that came at this place in the conversation, whatever is asked. */
export type ReplayMode = "strict" | "turn";

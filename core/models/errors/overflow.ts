import type { ErrorFacts } from "./error-facts.ts";

export type Overflow = { class: "overflow" | "budget_overflow"; maxOutput?: number };

/** What servers say comes first. */
const MAX_CHARS = 4_000;
const NUMBER = "([\\d,_]+)";
const pattern = (text: string) => new RegExp(text.replaceAll("#", NUMBER), "i");

/** Servers that quote what they counted: the window, the prompt and the answer asked for. */
const counted: readonly { text: RegExp; window: number; prompt: number }[] = [
  { text: pattern("input length and `?max_tokens`? exceed context limit: # \\+ # > #"), prompt: 1, window: 3 },
  {
    text: pattern("maximum context length is # tokens.*?requested # tokens? \\(# in the (messages|prompt|input)[^)]*# in the (completion|output)"),
    window: 1,
    prompt: 3,
  },
  {
    text: pattern("maximum context length is # tokens.*?requested about # tokens? \\(# of text input.*?# (of tool input, # )?in the output"),
    window: 1,
    prompt: 3,
  },
  { text: pattern("maximum context length is # tokens and your request has # input tokens"), window: 1, prompt: 2 },
  { text: pattern("maximum context length is # tokens.*?requested # output tokens and your prompt contains.*?# input tokens"), window: 1, prompt: 3 },
];

/** Servers that name the longest answer of the model. */
const longest: readonly RegExp[] = [
  pattern("max_tokens: [\\d,]+ > #, which is the maximum allowed number of output tokens"),
  pattern("max(_completion|_output)?_tokens[^.]* is too large[^.]*\\. ?(?:this model )?supports at most #"),
  pattern("(?:max_tokens|max_output_tokens|maxOutputTokens)[^.]*(?:must be|range)[^.]*?(?:less than or equal to|at most|<=|to) #"),
];

const tooLong: readonly RegExp[] = [
  /prompt is too long/i,
  /(input|request) is too long/i,
  /(maximum|max) (context|prompt|input) (length|size|window)/i,
  /context (length|window|size)[^.]{0,60}exceed|exceed[^.]{0,80}(context|maximum number of tokens|max_model_len|available tokens)/i,
  /input token count[^.]*exceeds/i,
  /too (many tokens|large for model)/i,
  /reduce the length of the (messages|prompt|input)/i,
  /tokens? to keep from the initial prompt|context the overflows/i,
  /(request|payload|entity) too large/i,
];

/** Whether a server refused since prompt, or prompt and answer, are too long; most say so in words alone. */
export function overflowOf({ code, message, responseBody, statusCode }: ErrorFacts): Overflow | undefined {
  if (statusCode === 401 || statusCode === 403 || statusCode === 429 || statusCode === 404) return undefined;
  const text = `${message} ${message.length > 40 ? "" : responseBody}`.slice(0, MAX_CHARS).replace(/\s+/g, " ");
  for (const { text: row, window, prompt } of counted) {
    const match = row.exec(text);
    if (match === null) continue;
    const left = toNumber(match[window]) - toNumber(match[prompt]);
    return left > 0 ? { class: "budget_overflow", maxOutput: left } : { class: "overflow" };
  }
  for (const row of longest) {
    const match = row.exec(text);
    const most = toNumber(match?.at(-1));
    if (match !== null && most > 0) return { class: "budget_overflow", maxOutput: most };
  }
  if (
    statusCode === 413 ||
    (code !== undefined &&
      /^(context_length_exceeded|context_window_exceeded|exceed_context_size_error|request_too_large|string_above_max_length)$/.test(code))
  )
    return { class: "overflow" };
  if (statusCode !== undefined && statusCode < 300) return undefined;
  return tooLong.some((row) => row.test(text)) ? { class: "overflow" } : undefined;
}

function toNumber(text: string | undefined): number {
  return text === undefined ? 0 : Number(text.replace(/[,_]/g, ""));
}

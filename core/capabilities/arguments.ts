import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";

/** What a system call would refuse with a message that helps nobody. */
const noNul = z.refine<string>((text) => !text.includes("\0"), { error: "it holds a NUL character, which no path and no argument may" });

export const Path = z.string().check(z.minLength(1), z.maxLength(8_192, "it is longer than the 8192 characters that a path may have"), noNul);
export const Word = z.string().check(noNul);

/** Parses what a method was called with; throws `wrong_argument` naming the place. */
export function parseArguments<T>(method: string, schema: z.ZodMiniType<T>, args: unknown[]): T {
  const parsed = schema.safeParse(withoutTrailingNull(args));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined ? "" : issue.path.map((part, index) => (index === 0 ? `argument ${Number(part) + 1}` : String(part))).join(".");
  throw new MortiseError("wrong_argument", { seen: `${method}, ${place}${expected(issue)}` });
}

/** What is wrong with it, where that is more than its place; a model may read it as the failure of a tool. */
function expected(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "invalid_type") return `, expected ${issue.expected}`;
  return issue?.message === undefined || issue.message === "" || issue.message === "Invalid input" ? "" : `: ${issue.message}`;
}

/** A missing optional argument crosses the border as null. */
function withoutTrailingNull(args: unknown[]): unknown[] {
  return args.slice(0, args.findLastIndex((arg) => arg !== null && arg !== undefined) + 1);
}

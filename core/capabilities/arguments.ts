import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";

/** What a system call would refuse with a message that helps nobody. */
const noNul = z.refine<string>((text) => !text.includes("\0"));

export const Path = z.string().check(z.minLength(1), z.maxLength(8_192), noNul);
export const Word = z.string().check(noNul);

/** Parses what a method was called with; throws `wrong_argument` naming the place. */
export function parseArguments<T>(method: string, schema: z.ZodMiniType<T>, args: unknown[]): T {
  const parsed = schema.safeParse(withoutTrailingNull(args));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined ? "" : issue.path.map((part, index) => (index === 0 ? `argument ${Number(part) + 1}` : String(part))).join(".");
  throw new MortiseError("wrong_argument", { seen: `${method}, ${place}${issue?.code === "invalid_type" ? `, expected ${issue.expected}` : ""}` });
}

/** A missing optional argument crosses the border as null. */
function withoutTrailingNull(args: unknown[]): unknown[] {
  return args.slice(0, args.findLastIndex((arg) => arg !== null && arg !== undefined) + 1);
}

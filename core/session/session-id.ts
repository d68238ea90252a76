import { randomBytes } from "node:crypto";
import { MortiseError } from "../../sdk/errors.ts";
import { isSessionId } from "../traces.ts";

/** The digits in the order of their characters, so that ids sort as their numbers do. */
const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** As many digits as 128 bits may need. */
const LENGTH = 22;

/** A UUID of version 7 in base58: 22 characters that sort by the time they were made, in milliseconds since 1970. */
export function newSessionId(nowMs: number = Date.now()): string {
  const random = randomBytes(10);
  const high = BigInt(random.readUInt16BE(0) & 0x0fff) | 0x7000n;
  const low = (random.readBigUInt64BE(2) & 0x3fffffffffffffffn) | 0x8000000000000000n;
  let rest = (BigInt(nowMs) << 80n) | (high << 64n) | low;
  let text = "";
  for (let i = 0; i < LENGTH; i++) {
    text = DIGITS.charAt(Number(rest % 58n)) + text;
    rest /= 58n;
  }
  return text;
}

/** An id becomes the name of a file. Throws `no_session` for one that could lead elsewhere. */
export function checkSessionId(id: string): string {
  if (!isSessionId(id)) throw new MortiseError("no_session", { seen: JSON.stringify(id) });
  return id;
}

import { describe, expect, it } from "vitest";
import { checkSessionId, newSessionId } from "../../../core/session/session-id.ts";

describe("newSessionId()", () => {
  it("makes 22 characters of base58, another one each time", () => {
    const ids = Array.from({ length: 1_000 }, () => newSessionId());
    for (const id of ids) expect(id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{22}$/);
    expect(new Set(ids).size).toBe(1_000);
  });

  it("sorts as its times do", () => {
    const times = [0, 1, 57, 58, 1_700_000_000_000, 1_700_000_000_001, 1_900_000_000_000, 2 ** 48 - 1];
    const ids = times.map((time) => newSessionId(time));
    expect(ids.toSorted()).toEqual(ids);
  });

  it("is a UUID of version 7", () => {
    const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    const value = [...newSessionId(1_700_000_000_000)].reduce((sum, digit) => sum * 58n + BigInt(digits.indexOf(digit)), 0n);
    expect(value >> 80n).toBe(1_700_000_000_000n);
    expect((value >> 76n) & 0xfn).toBe(7n);
    expect((value >> 62n) & 3n).toBe(2n);
  });
});

describe("checkSessionId()", () => {
  it("refuses what could lead elsewhere", () => {
    for (const id of ["", ".", "..", "../x", "a/b", "a\\b", "/etc/passwd", ".hidden", "a.jsonl", "a\0", "a b", "é", "x".repeat(101)]) {
      expect(() => checkSessionId(id), JSON.stringify(id)).toThrow(expect.objectContaining({ code: "no_session" }));
    }
  });

  it("takes ids of its own and UUIDs", () => {
    for (const id of [newSessionId(), "0190a5d2-7a54-7c3e-8f00-000000000000"]) expect(checkSessionId(id)).toBe(id);
  });
});

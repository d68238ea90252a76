import { describe, expect, it } from "vitest";
import { consentLines } from "../../../core/grants/consent.ts";
import { slots } from "../../../sdk/contract.ts";

describe("consentLines()", () => {
  it("says one thing for each capability and slot, with the scopes as they are", () => {
    expect(consentLines({ run: true, net: ["$&.example.com", "b.org"], fs_read: [] }, ["tool.deploy.output"])).toEqual([
      "can send what it knows to $&.example.com, b.org",
      "can run any program as you",
      "can read and change the output of deploy",
    ]);
  });

  it("knows every slot of the contract by words of its own", () => {
    for (const slot of Object.keys(slots)) expect(consentLines({}, [slot])).not.toEqual([`can steer ${slot}`]);
    expect(new Set(Object.keys(slots).flatMap((slot) => consentLines({}, [slot]))).size).toBe(Object.keys(slots).length);
  });
});

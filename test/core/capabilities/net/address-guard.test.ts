import { describe, expect, it } from "vitest";
import { isAllowedPrivate, isPublicAddress } from "../../../../core/capabilities/net/address-guard.ts";

describe("isPublicAddress()", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "192.167.1.1",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "2606:4700::1111",
    "2a00:1450:4001::1",
  ])("lets %s pass", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.168.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:a00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "100::1",
    "2001:0:1::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "5f00::1",
    "",
    "localhost",
    "1.2.3",
    "1.1.1.1%eth0",
  ])("refuses %j", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("isAllowedPrivate()", () => {
  it("takes names, ports and networks", () => {
    const allowed = ["intern.example", "db.example:5432", "10.0.0.0/8", "fd00::/8", "[::1]:8080"];
    expect(isAllowedPrivate(allowed, "intern.example", 80, "192.168.0.1")).toBe(true);
    expect(isAllowedPrivate(allowed, "a.intern.example", 80, "192.168.0.1")).toBe(false);
    expect(isAllowedPrivate(allowed, "db.example", 5432, "192.168.0.1")).toBe(true);
    expect(isAllowedPrivate(allowed, "db.example", 80, "192.168.0.1")).toBe(false);
    expect(isAllowedPrivate(allowed, "any.example", 80, "10.9.9.9")).toBe(true);
    expect(isAllowedPrivate(allowed, "any.example", 80, "fd12::1")).toBe(true);
    expect(isAllowedPrivate(allowed, "any.example", 80, "fe80::1")).toBe(false);
    expect(isAllowedPrivate(allowed, "::1", 8080, "::1")).toBe(true);
    expect(isAllowedPrivate(["10.0.0.0/33", "x/8", "/8", ""], "any.example", 80, "10.9.9.9")).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { hostAllowed } from "../../../../core/capabilities/net/host-scope.ts";

const may = (scope: string, url: string) => hostAllowed(new URL(url), [scope]);

describe("hostAllowed()", () => {
  it("takes a host by its name and the scheme's own port", () => {
    expect(may("api.github.com", "https://api.github.com/x")).toBe(true);
    expect(may("API.GitHub.com", "https://api.github.com")).toBe(true);
    expect(may("api.github.com", "https://api.github.com./")).toBe(true);
    expect(may("api.github.com", "http://api.github.com/")).toBe(true);
    for (const url of [
      "https://github.com",
      "https://api.github.com.evil.example",
      "https://xapi.github.com",
      "https://evil.example/api.github.com",
      "https://api.github.com:8443",
      "https://api.github.com@evil.example",
    ]) {
      expect([url, may("api.github.com", url)]).toEqual([url, false]);
    }
  });

  it("takes a port where one is named", () => {
    expect(may("localhost:8080", "http://localhost:8080")).toBe(true);
    expect(may("localhost:8080", "http://localhost")).toBe(false);
    expect(may("localhost:80", "http://localhost")).toBe(true);
    expect(may("localhost:80", "https://localhost")).toBe(false);
    expect(may("[::1]:8080", "http://[::1]:8080")).toBe(true);
  });

  it("takes all hosts below a name, not the name itself", () => {
    expect(may("*.example.com", "https://a.example.com")).toBe(true);
    expect(may("*.example.com", "https://a.b.example.com")).toBe(true);
    for (const url of ["https://example.com", "https://aexample.com", "https://a.example.com.evil.example", "https://a.example.com:8443"])
      expect([url, may("*.example.com", url)]).toEqual([url, false]);
  });

  it("covers nothing by a malformed scope", () => {
    for (const scope of [
      "",
      "*",
      "*.",
      "*.*",
      "**",
      "https://example.com",
      "example.com/",
      "example.*",
      "a@example.com",
      "example.com:x",
      "exa mple.com",
      ".com",
    ]) {
      expect([scope, may(scope, "https://example.com")]).toEqual([scope, false]);
    }
    expect(hostAllowed(new URL("https://example.com"), [])).toBe(false);
    expect(hostAllowed(new URL("https://example.com"), true)).toBe(true);
  });
});

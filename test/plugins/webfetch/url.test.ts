import { describe, expect, it } from "vitest";
import { fetchedUrl } from "../../../plugins/webfetch/url.ts";

// The isolate's URL and Node's are the same parser.
describe("fetchedUrl()", () => {
  it.each([
    ["http://example.com/a?b=1#c", "https://example.com/a?b=1"],
    ["HTTP://EXAMPLE.com:80/a", "https://example.com/a"],
    ["http://example.com:8080/", "https://example.com:8080/"],
    ["https://example.com", "https://example.com/"],
    [" https://example.com/ ", "https://example.com/"],
    ["http://8.8.8.8/", "https://8.8.8.8/"],
    ["http://localhost:3000/x", "http://localhost:3000/x"],
    ["http://127.0.0.1/", "http://127.0.0.1/"],
    ["http://2130706433/", "http://127.0.0.1/"],
    ["http://10.1.2.3/", "http://10.1.2.3/"],
    ["http://172.16.0.1/", "http://172.16.0.1/"],
    ["http://172.32.0.1/", "https://172.32.0.1/"],
    ["http://[::1]:8080/", "http://[::1]:8080/"],
    ["http://[fd00::1]/", "http://[fd00::1]/"],
    ["http://[2606:4700::1]/", "https://[2606:4700::1]/"],
    ["http://intranet/", "http://intranet/"],
    ["http://old.example/", "http://old.example/"],
    ["http://a.old.example/", "https://a.old.example/"],
  ])("makes of %s: %s", (written, fetched) => {
    expect(fetchedUrl(written, ["old.example"])?.href).toBe(fetched);
  });

  it.each([
    "",
    "example.com",
    "/a",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://",
    "https://a@b/",
    "https://u:p@b/",
    "http://[::1",
  ])("fetches nothing for %j", (written) => {
    expect(fetchedUrl(written)).toBeUndefined();
  });
});

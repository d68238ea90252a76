import { describe, expect, it } from "vitest";
import { charsetOf } from "../../../../core/capabilities/net/charset.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

describe("charsetOf()", () => {
  it.each([
    ["\u00ef\u00bb\u00bfa", "text/html; charset=iso-8859-1", "utf-8"],
    ["\u00fe\u00ff\0a", "text/plain", "utf-16be"],
    ["\u00ff\u00fea\0", "", "utf-16le"],
    ["a", "text/html; charset=Shift_JIS", "Shift_JIS"],
    ["a", 'text/html;charset="windows-1252"', "windows-1252"],
    ['<meta charset="koi8-r">', "text/html; charset=utf-8", "utf-8"],
    ['<html><meta charset="koi8-r">', "text/html", "koi8-r"],
    ["<META CHARSET=koi8-r>", "", "koi8-r"],
    ['<meta http-equiv="Content-Type" content="text/html; charset=euc-jp">', "text/html", "euc-jp"],
    ['<?xml version="1.0" encoding="iso-8859-2"?>', "application/rss+xml", "iso-8859-2"],
    ['<meta charset="koi8-r">', "text/plain", "utf-8"],
    ['<meta charset="utf-16">', "text/html", "utf-8"],
    [`${" ".repeat(1_024)}<meta charset="koi8-r">`, "text/html", "utf-8"],
    ["", "text/html", "utf-8"],
    ["<meta charset=", "text/html", "utf-8"],
  ])("finds in %j with %j: %s", (body, type, charset) => {
    expect(charsetOf(bytes(body), type)).toBe(charset);
  });
});

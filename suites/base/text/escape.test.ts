import { expect, it } from "vitest";
import { escapeHtml, escapeInvisible, escapeInvisibleJson, truncate, truncateMiddle } from "./escape.ts";

it("writes invisible characters as their codes, and leaves all other text alone", () => {
  expect(escapeInvisible("a\u001b[31m\r\n\u009b\u202e\u200b\u2028\ufeff")).toBe(
    "a\\u001b[31m\\u000d\\u000a\\u009b\\u202e\\u200b\\u2028\\ufeff",
  );
  expect(escapeInvisible("\ud800x\udc00")).toBe("\\ud800x\\udc00");
  expect(escapeInvisible("Größe 日本 😀 é")).toBe("Größe 日本 😀 é");
});

it("defuses everything that a build system would read as a command", () => {
  expect(escapeInvisible("##[error]x ##vso[task.complete]y ##teamcity[z]")).toBe(
    "#\\u0023[error]x #\\u0023vso[task.complete]y #\\u0023teamcity[z]",
  );
  expect(escapeInvisible("::error::x")).toBe("\\u003a:error::x");
  expect(escapeInvisible("## a title, C++ std::string")).toBe("## a title, C++ std::string");
});

it("makes a JSON text harmless without changing its value", () => {
  const value = { a: "##[error]\u009b\u202e\u200b\u{e0041}", "##vso[x]": "\n" };
  const escaped = escapeInvisibleJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(escaped)).toEqual(value);
  expect(escaped).not.toMatch(/##\w*\[|[\u0080-\u009f\u200b\u202e\udb40]/);
});

it("defuses everything that HTML would interpret", () => {
  expect(escapeHtml(`<a href="x" id='y'>&\u0000`)).toBe("&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;\\u0000");
});

it("states how many characters were left out", () => {
  expect(truncate("abc", 3)).toBe("abc");
  expect(truncate("abcde", 3)).toBe("abc… (2 more characters)");
});

it("shows both ends of a text, since the fault may be the last character", () => {
  expect(truncateMiddle(`[${"1,".repeat(99)}]`, 20)).toBe("[1,1,1,1,1… (180 more characters) …,1,1,1,1,]");
  expect(truncateMiddle("[1,]", 20)).toBe("[1,]");
});

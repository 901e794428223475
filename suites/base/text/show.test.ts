import { expect, it } from "vitest";
import { quote, show, showError } from "./show.ts";

it("escapes characters that a terminal would interpret", () => {
  expect(quote("a\u001b[31m\r\n\u202e\u0000b")).toBe("a\\u{1b}[31m\\r\\n\\u{202e}\\u{0}b");
  expect(quote("x".repeat(300))).toMatch(/^x{200}… \(300 characters\)$/);
});

it("shows values in one line", () => {
  expect(show(undefined)).toBe("undefined");
  expect(show("yes")).toBe("'yes'");
  expect(show({ ok: { deep: { er: 1 } } })).toBe("{ ok: { deep: [Object] } }");
});

it("shows where an error was thrown", () => {
  expect(showError(new TypeError("no"))).toMatch(/^TypeError: no \(at .*show\.test\.ts/);
  expect(showError("text")).toBe("'text'");
});

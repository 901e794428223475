import { expect, it } from "vitest";
import { contentOf, summaryOf } from "./parties.ts";

const short = (text: string): string => summaryOf({ status: 200, text } as Parameters<typeof summaryOf>[0]);
const payload = { error: { code: 2002, message: "no" } };
const message = { id: "a".repeat(200), payload };

it("shows the payload of a long answer, which distinguishes a refusal from a result", () => {
  const expectedText = `a message with /payload ${JSON.stringify(payload)}`;
  expect(short(JSON.stringify(message))).toBe(`HTTP 200: ${expectedText}`);
  expect(contentOf(message).brief).toBe(expectedText);
});

it("shows a short answer in full, and truncates a long answer without a payload", () => {
  expect(short('{"id":"a"}')).toBe('HTTP 200: {"id":"a"}');
  expect(short("a".repeat(300))).toBe(`HTTP 200: ${"a".repeat(200)}… (300 characters)`);
  expect(short(JSON.stringify({ id: message.id, error: 1 }))).toMatch(/^HTTP 200: \{"id":"a+… \(\d+ characters\)$/);
});

import { expect, it } from "vitest";
import type { HttpReply } from "../../../../schemas/index.ts";
import { inShort } from "./steps.ts";

it("shows the beginning and the end of a long failure, but only the beginning of other answers", () => {
  const trace = `Error: cannot submit${"\n  at Hub".repeat(100)}\nCaused by: no such secret`;
  const reply = (status: number, text: string): HttpReply => ({ status, text }) as never;
  expect(inShort(reply(500, trace))).toMatch(/^HTTP 500: Error: cannot submit.* … .*Caused by: no such secret$/);
  expect(inShort(reply(422, trace))).toMatch(/^HTTP 422: Error: cannot submit.*… \(946 characters\)$/);
  expect(inShort(reply(500, "oh"))).toBe("HTTP 500: oh");
});

import { expect, it } from "vitest";
import { type JsonObject, TargetFailure, TouchstoneError } from "../../../schemas/index.ts";
import { createAccessGate } from "./access.ts";
import { mustBeWaited, waitAsked } from "./pace.ts";

const passing = (id: string) => ({ as: "a" as const, agent: "bot", body: { agent: { id } }, sender: "/agent/id" });

it("ends the run for a sender that never had access, and only the story for one that had", () => {
  const { pass } = createAccessGate();
  expect(() => pass({ status: 401, text: "" }, passing("bot"))).toThrow(TouchstoneError);
  expect(() => pass({ status: 403, text: "" }, passing("bot"))).toThrow(/credentials\.a\.agent/);
  pass({ status: 202, text: "" }, passing("bot"));
  expect(() => pass({ status: 401, text: "" }, passing("bot"))).toThrow(TargetFailure);
});

it("ignores a story about other senders", () => {
  const { pass } = createAccessGate();
  pass({ status: 403, text: "" }, passing("other"));
  pass({ status: 404, text: "" }, passing("bot"));
  expect(() => pass({ status: 401, text: "" }, passing("other"))).toThrow(TouchstoneError);
  pass({ status: 202, text: "" }, passing("bot"));
  pass({ status: 401, text: "" }, passing("other"));
});

it.each<[Record<string, string>, number | undefined]>([
  [{ "retry-after": "2" }, 2100],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT", date: "Thu, 01 Jan 2026 00:00:02 GMT" }, 3100],
  [{ "retry-after": "500" }, undefined],
  [{}, undefined],
])("waits as long as it is asked to: %j", (headers, expected) => {
  expect(waitAsked({ status: 429, headers, json: undefined }, 0)).toBe(expected);
});

it.each<[status: number, headers: Record<string, string>, expected: RegExp | undefined]>([
  [429, {}, /^the server limits requests, and does not say for how long: raise its limit/],
  [429, { "retry-after": "soon" }, /does not say for how long/],
  [429, { "retry-after": "500" }, /asks to wait 500 s, more than 120: raise its limit/],
  [429, { "retry-after": "2" }, undefined],
  [503, {}, undefined],
])("says what an answer %d with %j leaves unknown, unless it is waited for", (status, headers, expected) => {
  const reported = (): void => mustBeWaited({ status, headers, json: undefined });
  if (expected === undefined) expect(reported).not.toThrow();
  else expect(reported).toThrow(expected);
});

const later = { equal: { "/error/code": 5002 }, seconds: "/error/after" };

it.each<[code: number, after: unknown, expected: number | undefined]>([
  [5002, 2, 2100],
  [5002, 500, undefined],
  [5002, "2", undefined],
  [5001, 2, undefined],
])("waits if the body asks for it, as the profile says: code %j, after %j", (code, after, expected) => {
  const json = { error: { code, after } } as JsonObject;
  expect(waitAsked({ status: 200, headers: {}, json }, 0, later)).toBe(expected);
  expect(waitAsked({ status: 200, headers: {}, json }, 0)).toBeUndefined();
});

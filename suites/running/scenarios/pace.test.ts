import { expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/index.ts";
import { mustNotLimitLonger, requestedWait } from "./pace.ts";

it.each<[Record<string, string>, number | undefined]>([
  [{ "retry-after": "2" }, 2100],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT", date: "Thu, 01 Jan 2026 00:00:02 GMT" }, 3100],
  [{ "retry-after": "500" }, undefined],
  [{}, undefined],
])("waits as long as the headers %j ask for", (headers, expected) => {
  expect(requestedWait({ status: 429, headers, json: undefined }, 0)).toBe(expected);
});

it.each<[status: number, headers: Record<string, string>, expected: RegExp | undefined]>([
  [429, {}, /^the server limits requests, and does not say for how long: raise its limit/],
  [429, { "retry-after": "soon" }, /does not say for how long/],
  [429, { "retry-after": "500" }, /asks to wait 500 s, more than 120: raise its limit/],
  [429, { "retry-after": "2" }, undefined],
  [503, {}, undefined],
])("reports why it cannot wait after a status %d with the headers %j", (status, headers, expected) => {
  const checkWait = (): void => mustNotLimitLonger({ status, headers, json: undefined });
  if (expected === undefined) expect(checkWait).not.toThrow();
  else expect(checkWait).toThrow(expected);
});

const laterInBody = { equal: { "/error/code": 5002 }, seconds: "/error/after" };

it.each<[code: number, after: unknown, expected: number | undefined]>([
  [5002, 2, 2100],
  [5002, 500, undefined],
  [5002, "2", undefined],
  [5001, 2, undefined],
])("waits for a body with code %j and after %j as the profile describes", (code, after, expected) => {
  const json = { error: { code, after } } as JsonObject;
  expect(requestedWait({ status: 200, headers: {}, json }, 0, laterInBody)).toBe(expected);
  expect(requestedWait({ status: 200, headers: {}, json }, 0)).toBeUndefined();
});

import { expect, it } from "vitest";
import { type Json, protocolNamed } from "./index.ts";
import { inexactIn } from "./inexact-integers.ts";

const aaep = protocolNamed("aaep");

it.each<[string, Json, boolean]>([
  ["2^53", { a: 2 ** 53 }, false],
  ["2^64", { a: [{ b: 2 ** 64 }] }, true],
  ["its negative", -(2 ** 64), true],
  ["300 digits", [1e300], true],
  ["digits in a string", { a: "18446744073709551616" }, false],
  ["a fraction", [0.5, null], false],
])("%s breaks the rule about integers: %3$s", (_, data, breaks) => {
  expect(inexactIn(aaep, data)).toBe(breaks ? "AAEP-ENV-035" : undefined);
});

it("finds no rule in a protocol without rules about integers", () => {
  expect(inexactIn(protocolNamed("ahcp"), { a: 2 ** 64 })).toBeUndefined();
});

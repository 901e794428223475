import { expect, it } from "vitest";
import type { Json } from "../../../schemas/index.ts";
import { differenceIn } from "./difference.ts";

it.each<[Json, Json | undefined, string | undefined]>([
  [{ a: [1, "x"] }, { a: [1, "x"] }, undefined],
  [{ a: 1 }, undefined, 'the whole value is missing; {"a":1} was sent'],
  [{ a: { "b/c": 1 } }, { a: { "b/c": "1" } }, '/a/b~1c is "1"; 1 was sent'],
  [{ a: null }, {}, "/a is missing; null was sent"],
  [{}, { b: 1 }, "/b is there and was not sent"],
  [[1, 2], [1], "the whole value was sent with 2 items and has 1"],
  [{ a: false }, { a: null }, "/a is null; false was sent"],
])("describes the first difference between %j and %j", (sent, received, output) => {
  expect(differenceIn(sent, received)).toBe(output);
});

it("shows only the differing part of long texts", () => {
  const sent = { large: "é".repeat(9000) };
  const received = { large: `${"é".repeat(8000)}?` };
  const output = differenceIn(sent, received) ?? "";
  expect(output).toMatch(
    /^\/large differs from character 8001 on: sent "é{60}" of 9000 characters, got "é{30}\?" of 8001 characters$/,
  );
});

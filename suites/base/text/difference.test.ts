import { expect, it } from "vitest";
import type { Json } from "../../../schemas/index.ts";
import { differenceIn } from "./difference.ts";

it.each<[Json, Json | undefined, string | undefined]>([
  [{ a: [1, "x"] }, { a: [1, "x"] }, undefined],
  [{ a: 1 }, undefined, 'the whole value does not come back; sent was {"a":1}'],
  [{ a: { "b/c": 1 } }, { a: { "b/c": "1" } }, '/a/b~1c comes back as "1", sent was 1'],
  [{ a: null }, {}, "/a does not come back; sent was null"],
  [{}, { b: 1 }, "/b comes back and was not sent"],
  [[1, 2], [1], "the whole value had 2 items and comes back with 1"],
  [{ a: false }, { a: null }, "/a comes back as null, sent was false"],
])("%j and %j", (sent, got, said) => {
  expect(differenceIn(sent, got)).toBe(said);
});

it("shows of long texts the part that differs", () => {
  const sent = { large: "é".repeat(9000) };
  const got = { large: `${"é".repeat(8000)}?` };
  const said = differenceIn(sent, got) ?? "";
  expect(said).toMatch(
    /^\/large differs from character 8001 on: sent "é{60}" of 9000 characters, came back "é{30}\?" of 8001 characters$/,
  );
});

import { expect, it } from "vitest";
import { findUnknownOptions as unknownOptions } from "./printed.fixture.ts";

it.each([
  ["All of them: npx touchstone fuzz ./order --module order.mjs --seed 1 --only order --verbose", ["fuzz --only"]],
  ["npm run -s touchstone -- fuzz ./order --document order --runs 200", []],
  ["  npx touchstone baseline update known.json --reason '--only is unknown'", []],
  ["  npx touchstone report diff a b --nothing", ["report --nothing"]],
  ["`touchstone run ahcp` goes with --anything, and touchstone lint, --pedantic", []],
  ["touchstone run --http http://127.0.0.1 --header=x --no-config or --so", []],
])("finds the unknown options in %j", async (text, expected) => {
  expect(await unknownOptions(text)).toEqual(expected);
});

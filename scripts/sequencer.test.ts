import { expect, it } from "vitest";
import { home } from "../schemas/index.ts";
import { longest } from "./sequencer.ts";
import { readTree } from "./tree.ts";

it("begins with files that there are", () => {
  const tests = [...readTree(home).keys()].filter((path) => path.endsWith(".test.ts"));
  expect(longest.filter((each) => !tests.some((path) => each.test(path)))).toEqual([]);
});

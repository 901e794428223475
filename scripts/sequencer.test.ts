import { expect, it } from "vitest";
import { home } from "../schemas/index.ts";
import { interleaveFiles, slowTestPatterns } from "./sequencer.ts";
import { readTree } from "./tree.ts";

it("lists only patterns of existing test files", () => {
  const tests = [...readTree(home).keys()].filter((path) => path.endsWith(".test.ts"));
  expect(slowTestPatterns.filter((longestTest) => !tests.some((path) => longestTest.test(path)))).toEqual([]);
});

it("mixes slow files with quick ones, and keeps all files", () => {
  expect(interleaveFiles(["A", "B", "C", "D"], ["1", "2", "3", "4", "5", "6"]).join("")).toBe("ABC1D23456");
  expect(interleaveFiles([], ["1", "2"])).toEqual(["1", "2"]);
  expect(interleaveFiles(["A", "B", "C"], [])).toEqual(["A", "B", "C"]);
});

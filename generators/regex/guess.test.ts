import { expect, it } from "vitest";
import { automatonOf } from "./automaton.ts";
import { guesses } from "./guess.ts";

const texts = (source: string, min = 0): string[] =>
  [...guesses(source, min)].filter((text) => new RegExp(source, "u").test(text) && [...text].length >= min);

it.each([
  "^(.)-\\1$",
  "^(?<word>[a-z]+)=\\k<word>;$",
  "^[a-z]{1,70000}$",
  "^.{0,100000}$",
  "^(?=.{1,255}$)[0-9A-Za-z](?:(?:[0-9A-Za-z]|\\b-){0,61}[0-9A-Za-z])?$",
])("finds a string for %s, which does not have an automaton", (source) => {
  expect(automatonOf(source)).toBeUndefined();
  expect(texts(source)).not.toEqual([]);
});

it("finds long texts by stretching one part", () => {
  const [text] = texts("^x(?:[a-z]{1,70000}-)y{0,40000}(.)\\1$", 5000);
  expect([...(text ?? "")].length).toBeGreaterThanOrEqual(5000);
});

it("tries every alternative if there are few", () => {
  const firstLetters = new Set(texts("^(?:a|b|c)(.)\\1$").map((text) => text[0]));
  expect([...firstLetters].sort()).toEqual(["a", "b", "c"]);
});

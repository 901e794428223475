import { expect, it } from "vitest";
import { stringIn, stringsAt, withSpans } from "./spans.ts";

const textsOf = (text: string): (string | undefined)[] =>
  stringsAt(text, ["agent", "id"]).map((span) => stringIn(text, span));

it.each<[string, string[]]>([
  ['{"agent":{"id":"bot"}}', ["bot"]],
  ['{"id":"no","tags":["agent","id"],"agent" : {"labels":{"id":"no"}, "\\u0069d" :"b\\"ot"},"x":"id"}', ['b"ot']],
  ['{"agent":{"id":"one"},"agent":{"id":"two","id":"three"}}', ["one", "two", "three"]],
  ['{"agent":{"id":"bot"', ["bot"]],
  ['{"agent":{"id":3},"state":{"agent":{"id":"no"}}}', []],
  ["", []],
])("finds the strings at a path, and no others: %s", (text, ids) => {
  expect(textsOf(text)).toEqual(ids);
});

it("replaces the words there, and leaves everything else unchanged", () => {
  const text = ' {"agent":{"id":"one","id":"two"},"a":1e400,}';
  const spans = stringsAt(text, ["agent", "id"]);
  expect(withSpans(text, spans, '"me"')).toBe(' {"agent":{"id":"me","id":"me"},"a":1e400,}');
  expect(withSpans(text, [], '"me"')).toBe(text);
});

import { expect, it } from "vitest";
import { findStringsAt, replaceSpans, stringInSpan } from "./spans.ts";

const findIds = (text: string): (string | undefined)[] =>
  findStringsAt(text, ["agent", "id"]).map((span) => stringInSpan(text, span));

it.each<[string, string[]]>([
  ['{"agent":{"id":"bot"}}', ["bot"]],
  ['{"id":"no","tags":["agent","id"],"agent" : {"labels":{"id":"no"}, "\\u0069d" :"b\\"ot"},"x":"id"}', ['b"ot']],
  ['{"agent":{"id":"one"},"agent":{"id":"two","id":"three"}}', ["one", "two", "three"]],
  ['{"agent":{"id":"bot"', ["bot"]],
  ['{"agent":{"id":3},"state":{"agent":{"id":"no"}}}', []],
  ["", []],
])("finds the strings at a path, and no others: %s", (text, ids) => {
  expect(findIds(text)).toEqual(ids);
});

it("replaces the strings there, and leaves everything else unchanged", () => {
  const text = ' {"agent":{"id":"one","id":"two"},"a":1e400,}';
  const spans = findStringsAt(text, ["agent", "id"]);
  expect(replaceSpans(text, spans, '"me"')).toBe(' {"agent":{"id":"me","id":"me"},"a":1e400,}');
  expect(replaceSpans(text, [], '"me"')).toBe(text);
});

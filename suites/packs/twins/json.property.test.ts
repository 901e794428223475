import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonIn, readJson } from "./json.ts";

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON text with one character removed, inserted or changed. */
const almostJson = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom("", ...'{}[]",:\\u0-.eE+ \ttn\u0001\ufeff9'), fc.nat({ max: 1 }))
  .map(([text, at, inserted, removed]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + inserted + text.slice(place + removed);
  });

it("reads and refuses the same texts as JSON.parse", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), almostJson), (text) => {
      expect(jsonIn(text)).toEqual(parseOrUndefined(text));
    }),
    { numRuns: 1000 },
  );
});

it("reports facts about the text that its value does not show, with their places", () => {
  const { notes } = readJson(
    '{"a/b":{"x":1,"x":1,"y":[9007199254740993,1e999]},"z":"\\ud800","n":"\\uffff","d":0.1,"w":1.00000000000000000001}',
  );
  expect(notes).toEqual({
    repeated: [{ at: "/a~1b/x", name: "x", isSame: true }],
    surrogates: ["/z"],
    nonCharacters: ["/n"],
    overflows: ["/a~1b/y/1"],
    large: ["9007199254740993"],
    inexact: new Map([
      ["/a~1b/y/0", "9007199254740993"],
      ["/w", "1.00000000000000000001"],
    ]),
    depth: 3,
  });
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { type Json, pointer } from "../../../../schemas/index.ts";
import { walkText } from "./walk.ts";

it("finds every scalar and every name once, with its location", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2, "\t"), (value, space) => {
      const text = JSON.stringify(value, null, space);
      const parsedValue = JSON.parse(text) as Json;
      let scalarCount = 0;
      let nameCount = 0;
      const countParts = (part: Json): void => {
        if (typeof part !== "object" || part === null) scalarCount += 1;
        else {
          if (!Array.isArray(part)) nameCount += Object.keys(part).length;
          for (const child of Object.values(part)) countParts(child);
        }
      };
      countParts(parsedValue);
      for (const { kind, at, text: pieceText } of walkText(text)) {
        if (kind === "value") {
          scalarCount -= 1;
          expect(pointer.at(at(), parsedValue)).toEqual(JSON.parse(pieceText));
        } else {
          nameCount -= 1;
          expect(kind).toBe("name");
          expect(pointer.segments(at()).at(-1)).toBe(JSON.parse(pieceText));
        }
      }
      expect([scalarCount, nameCount]).toEqual([0, 0]);
    }),
    { numRuns: 500 },
  );
});

it("reports each repetition with both values", () => {
  const pieces = [...walkText('{"a":[1, 2],"b":{"c":0,"c":{"d":[]}},"a":"x","a":null}')];
  expect(pieces.filter(({ kind }) => kind === "repeated").map(({ first, text }) => [first, text])).toEqual([
    ["0", '{"d":[]}'],
    ["[1, 2]", '"x"'],
    ["[1, 2]", "null"],
  ]);
});

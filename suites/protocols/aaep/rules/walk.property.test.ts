import fc from "fast-check";
import { expect, it } from "vitest";
import { type Json, pointer } from "../../../../schemas/index.ts";
import { walk } from "./walk.ts";

it("finds every scalar and every name at its place, each once", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2, "\t"), (value, space) => {
      const text = JSON.stringify(value, null, space);
      const parsed = JSON.parse(text) as Json;
      let scalars = 0;
      let names = 0;
      const count = (each: Json): void => {
        if (typeof each !== "object" || each === null) scalars += 1;
        else {
          if (!Array.isArray(each)) names += Object.keys(each).length;
          for (const below of Object.values(each)) count(below);
        }
      };
      count(parsed);
      for (const { kind, at, text: own } of walk(text)) {
        if (kind === "value") {
          scalars -= 1;
          expect(pointer.at(at(), parsed)).toEqual(JSON.parse(own));
        } else {
          names -= 1;
          expect(kind).toBe("name");
          expect(pointer.segments(at()).at(-1)).toBe(JSON.parse(own));
        }
      }
      expect([scalars, names]).toEqual([0, 0]);
    }),
    { numRuns: 500 },
  );
});

it("reports each repetition with both values", () => {
  const pieces = [...walk('{"a":[1, 2],"b":{"c":0,"c":{"d":[]}},"a":"x","a":null}')];
  expect(pieces.filter(({ kind }) => kind === "repeated").map(({ first, text }) => [first, text])).toEqual([
    ["0", '{"d":[]}'],
    ["[1, 2]", '"x"'],
    ["[1, 2]", "null"],
  ]);
});

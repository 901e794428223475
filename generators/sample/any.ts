import { type Json, type JsonObject, setMember } from "../../schemas/index.ts";
import { textOf } from "./plain-texts.ts";
import { chanceOf, drawBelow, drawUnit, pick, type Random, randomFrom } from "./random.ts";

const scalars: readonly Json[] = [null, true, false, 0, 1, -1, 0.5, 1e21, 9007199254740991, "", "text", "😀"];

/** Undeclared member names. Some of them are known to break readers in some languages. */
const trapNames = [
  "extra",
  "x-extra",
  "note",
  "a",
  "b",
  "id",
  "type",
  "value",
  "data",
  "Name",
  "snake_case",
  "camelCase",
  "with space",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "",
  "$ref",
  "@id",
  "é",
  "漢字",
  "😀",
  'quote"',
  "a/b~c",
];

/** Random names. Their number is fixed, because JavaScript engines are slow with names that they have not seen before. */
const meaninglessTexts: readonly string[] = Array.from({ length: 300 }, (_, seed) =>
  textOf(randomFrom(seed), 1 + (seed % 12)),
);

/** Draws a member name from one of the two lists. */
export function anyName(random: Random): string {
  return pick(random, chanceOf(random, 2) ? trapNames : meaninglessTexts);
}

/** Draws any JSON value, nested at most `room` deep. */
export function anyJson(random: Random, room: number): Json {
  switch (drawBelow(random, room > 0 ? 8 : 6)) {
    case 0:
      return pick(random, scalars) as Json;
    case 1:
      return drawBelow(random, 1000);
    case 2:
      return Number(((drawUnit(random) - 0.5) * 10 ** drawBelow(random, 9)).toPrecision(5));
    case 3:
      return chanceOf(random, 2);
    case 4:
    case 5:
      return textOf(random, drawBelow(random, 20));
    case 6:
      return Array.from({ length: drawBelow(random, 4) }, () => anyJson(random, room - 1));
    default:
      return anyObject(random, room - 1);
  }
}

function anyObject(random: Random, room: number): JsonObject {
  const object: JsonObject = {};
  for (let remaining = drawBelow(random, 4); remaining > 0; remaining -= 1)
    setMember(object, anyName(random), anyJson(random, room));
  return object;
}

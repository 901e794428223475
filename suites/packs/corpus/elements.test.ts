import fc from "fast-check";
import { expect, it } from "vitest";
import { elementTexts } from "./elements.ts";

it("returns the texts of the elements unchanged", () => {
  const text = '{ "a": [1.0, {"b": "]}\\""}],\n"tests": [ 1.0 , "x,\\\\" ,[ ], {"c":[1,2]}, null ] ,"z":{} }';
  expect(elementTexts(text, "tests")).toEqual(["1.0", '"x,\\\\"', "[ ]", '{"c":[1,2]}', "null"]);
  expect(elementTexts(text, "a")).toEqual(["1.0", '{"b": "]}\\""}']);
});

it("returns nothing for a member that is absent or not a list, and reads the last of two members with the same name", () => {
  expect(elementTexts('{"tests":{"a":[1]}}', "tests")).toEqual([]);
  expect(elementTexts(' {"other":[1]}', "tests")).toEqual([]);
  expect(elementTexts("{}", "tests")).toEqual([]);
  expect(elementTexts('{"t\\u0065sts":[1],"tests":[2]}', "tests")).toEqual(["2"]);
});

it("agrees with JSON.parse on any object, with or without whitespace", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(0, 2),
      (tests, otherMembers, indent) => {
        const texts = elementTexts(JSON.stringify({ ...otherMembers, tests }, undefined, indent), "tests");
        expect(texts.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(tests)));
      },
    ),
  );
});

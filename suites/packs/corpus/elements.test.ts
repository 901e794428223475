import fc from "fast-check";
import { expect, it } from "vitest";
import { elementTexts } from "./elements.ts";

it("returns the texts of the elements unchanged", () => {
  const text = '{ "a": [1.0, {"b": "]}\\""}],\n"tests": [ 1.0 , "x,\\\\" ,[ ], {"c":[1,2]}, null ] ,"z":{} }';
  expect(elementTexts(text, "tests")).toEqual(["1.0", '"x,\\\\"', "[ ]", '{"c":[1,2]}', "null"]);
  expect(elementTexts(text, "a")).toEqual(["1.0", '{"b": "]}\\""}']);
});

it("returns nothing for a member that is absent or not a list, and the last of two with one name", () => {
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
      (tests, rest, blanks) => {
        const read = elementTexts(JSON.stringify({ ...rest, tests }, undefined, blanks), "tests");
        expect(read.map((each) => JSON.parse(each))).toEqual(JSON.parse(JSON.stringify(tests)));
      },
    ),
  );
});

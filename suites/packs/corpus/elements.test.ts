import fc from "fast-check";
import { expect, it } from "vitest";
import { elementTexts } from "./elements.ts";

it("finds the texts of the elements as they are", () => {
  const text = '{ "a": [1.0, {"b": "]}\\""}],\n"tests": [ 1.0 , "x,\\\\" ,[ ], {"c":[1,2]}, null ] ,"z":{} }';
  expect(elementTexts(text, "tests")).toEqual(["1.0", '"x,\\\\"', "[ ]", '{"c":[1,2]}', "null"]);
  expect(elementTexts(text, "a")).toEqual(["1.0", '{"b": "]}\\""}']);
});

it("finds none in a member that is not a list or is absent, and those of the last of two", () => {
  expect(elementTexts('{"tests":{"a":[1]}}', "tests")).toEqual([]);
  expect(elementTexts(' {"other":[1]}', "tests")).toEqual([]);
  expect(elementTexts("{}", "tests")).toEqual([]);
  expect(elementTexts('{"t\\u0065sts":[1],"tests":[2]}', "tests")).toEqual(["2"]);
});

it("agrees with JSON.parse on any object, with blanks and without", () => {
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

import type { JsonObject } from "../../../../schemas/index.ts";

const numbers: JsonObject = {
  large: 1e21,
  larger: 1.5e300,
  small: 1e-7,
  smaller: 5e-324,
  zero: -0,
  whole: 333333333.3333333,
  list: [1e23, 4.5, 2e-3, 0.000001, 9007199254740991, 1e20],
};
/** Unusual spellings of numbers in JSON. The last number cannot be represented exactly as a double. */
const numberSpellings = [
  "-0",
  "-0.0",
  "0.0",
  "1.0",
  "1e0",
  "10e-1",
  "4.50",
  "1E2",
  "1.5E+3",
  "2e-3",
  "100000000000000000000.0",
  "9007199254740993",
];
const oddSpellings: JsonObject = Object.fromEntries(numberSpellings.map((text, index) => [`n${index}`, `=${text}`]));

/** Removes the quotation marks around the numbers in a message, so that they keep their spelling. */
export function unquoteNumbers(text: string): string {
  return text.replace(/"=([-+.\dEe]+)"/g, "$1");
}

const unnormalizedStrings: JsonObject = {
  decomposed: "e\u0301",
  composed: "\u00e9",
  kelvin: "\u212b",
  ligature: "\ufb00",
};
const unorderedMembers: JsonObject = {
  "\ufb33": 1,
  "😀": 2,
  "\r": 3,
  "€": 4,
  "1": 5,
  ö: 6,
  nested: { b: { z: 1, a: 2 }, a: "<>&\u2028\u007f/\u000f\u001b" },
};

const emptyValues: JsonObject = { none: null, no: false, empty: "", list: [null], object: {} };

/** The cases after the plain one. `tail` is a suffix of the callback URL; `ending` has further members of the answer. */
export const signedCases: [rule: string, description: string, members: JsonObject, tail: string, ending: JsonObject][] =
  [
    ["AHCP-SIG-004", "without a state", {}, "", {}],
    ["AHCP-SIG-004", "with an empty state", { state: {} }, "", {}],
    ["AHCP-SIG-004", "with members that are null or empty", { state: emptyValues }, "", { comment: "" }],
    ["AHCP-SIG-004", "with members in a different order", { state: unorderedMembers }, "", { comment: "<b>&\u2028😀" }],
    ["AHCP-SIG-004", "with only Latin-1 characters", { state: { name: "Zo\u00eb" } }, "", { comment: "\u00e9" }],
    ["AHCP-SIG-005", "with numbers that can be written in several ways", { state: numbers }, "", {}],
    ["AHCP-SIG-005", "with numbers such as 1.0 and -0 in the submitted text", { state: oddSpellings }, "", {}],
    ["AHCP-SIG-005", "with strings that Unicode normalization would change", { state: unnormalizedStrings }, "", {}],
    ["AHCP-SIG-007", "at a URL that normalization would change", { state: { n: 1 } }, "/a/../%7e?z=1&a=2&a=%2F", {}],
    ["AHCP-SIG-007", "at a URL that ends in a slash", { state: { n: 1 } }, "/", {}],
  ];

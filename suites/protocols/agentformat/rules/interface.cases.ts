import { add, set } from "../../../../generators/index.ts";
import type { Cases, InvalidCase, Json, JsonObject } from "../../../../schemas/index.ts";
import { react } from "./documents.ts";

const taking = (input: JsonObject, output: JsonObject = {}): JsonObject => ({
  ...react(),
  interface: { input, output },
});
/** What no edition allows that is known here. */
const everywhere: readonly [name: string, says: string, keyword: string, value: Json][] = [
  ["enum-text", "is a text where a list belongs", "enum", "Rome"],
  ["required-twice", "names a member twice", "required", ["city", "city"]],
  ["required-true", "is true, as in draft-03, where a list belongs", "required", true],
  ["multiple-of-zero", "is zero", "multipleOf", 0],
  ["exclusive-true", "is true, as in draft-04, where a number belongs", "exclusiveMinimum", true],
  ["type-twice", "lists a type twice", "type", ["string", "string"]],
  ["any-of-nothing", "is an empty list", "anyOf", []],
];
const old = "http://json-schema.org/draft-07/schema#";

export const interfaceCases: readonly Cases[] = [
  {
    rule: "AGF-IFACE-003",
    document: "agent",
    valid: [
      {
        name: "nested",
        says: "are correct schemas, with types below the root that the root may not have",
        data: taking(
          { type: "object", properties: { city: { type: ["string", "null"] }, days: { type: "integer" } } },
          { type: "array", items: { type: "null" } },
        ),
        at: "/interface",
      },
      { name: "empty", says: "are empty schemas", data: taking({}), at: "/interface", edge: true },
      {
        name: "older-edition",
        says: "names draft-07, which has a list of schemas as items",
        data: taking({ $schema: old, type: "array", items: [{ type: "string" }] }),
        at: "/interface/input",
      },
      {
        name: "length-with-a-point",
        says: "counts in 2.0, which is an integer",
        text: JSON.stringify(taking({ type: "string", minLength: 2 })).replace('"minLength":2', '"minLength":2.0'),
        at: "/interface/input",
      },
      {
        name: "foreign-keyword",
        says: "has a keyword of its own, and a property named like a keyword",
        data: taking({ type: "object", "x-order": 5, properties: { properties: true, type: {} } }),
        at: "/interface/input",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "properties-number",
        says: "is a number",
        change: set("/interface/input/properties", 5),
      },
      { name: "output", says: "is text where a list belongs", change: add("/interface/output/required", "city") },
      {
        name: "deep",
        says: "names a type that there is not",
        change: set("/interface/input/properties/days/type", "int"),
      },
      {
        name: "type-as-property",
        says: "is text where a schema belongs",
        change: set("/interface/input/properties/days", "integer"),
      },
      {
        name: "negative-length",
        says: "is below zero",
        change: add("/interface/output/items/minLength", -1),
        edge: true,
      },
      ...everywhere.map(
        ([name, says, keyword, value]): InvalidCase => ({
          name,
          from: "foreign-keyword",
          says,
          change: add(`/interface/input/properties/type/${keyword}`, value),
        }),
      ),
      {
        name: "not-of-its-edition",
        from: "older-edition",
        says: "is a number, in the draft-07 schema that it stands in",
        change: add("/interface/input/items/0/title", 5),
      },
      {
        name: "items-list",
        says: "is a list of schemas, as earlier editions have it",
        change: set("/interface/output/items", [{ type: "null" }]),
        level: "SHOULD",
      },
      {
        name: "keyword-of-later-editions",
        from: "empty",
        says: "is a list, under a keyword that means nothing before 2019-09",
        change: add("/interface/input/dependentRequired", ["city"]),
        level: "SHOULD",
      },
      {
        name: "list-in-named-edition",
        from: "empty",
        says: "has a list as items, which the edition that it names does not",
        change: set("/interface/input", {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          items: [{ type: "string" }],
        }),
        level: "SHOULD",
      },
    ],
  },
];

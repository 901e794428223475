import { describe, expect, it } from "vitest";
import { type Dialect, dialectOf, dialects, isStandard, subschemas } from "./dialect.ts";

function dialectCalled(name: string): Dialect {
  return dialects.find((dialect) => dialect.name === name) as Dialect;
}

describe("dialectOf", () => {
  it("knows the meta-schemas, with and without an empty fragment and with both URL schemes, and assumes the newest if none is given", () => {
    for (const dialect of dialects) {
      const otherScheme = dialect.uri.replace(/^https?/, (scheme) => (scheme === "http" ? "https" : "http"));
      for (const uri of [dialect.uri, otherScheme])
        expect([dialectOf(uri), dialectOf(`${uri}#`)]).toEqual([dialect, dialect]);
    }
    expect(dialectOf(undefined)?.name).toBe("2020-12");
    expect(
      [
        "https://json-schema.org/draft-7/schema",
        "http://json-schema.org/draft-03/schema#",
        null,
        7,
        { toString: 0 },
      ].map(dialectOf),
    ).toEqual(Array(5).fill(undefined));
  });
});

describe("isStandard", () => {
  it.each([
    ["http://json-schema.org/draft-04/schema", true],
    ["https://json-schema.org/draft/2020-12/schema", true],
    ["https://json-schema.org/draft/2020-12/meta/applicator", true],
    ["https://json-schema.org/draft/2019-09/meta/core", true],
    ["http://json-schema.org/draft-07/meta/core", false],
    ["https://json-schema.org/draft/2020-12", false],
    ["https://x.test/meta/core", false],
  ])("%s is standard: %s", (uri, expected) => {
    expect(isStandard(uri)).toBe(expected);
  });
});

describe("subschemas", () => {
  const schema = {
    $defs: { "a/b": {}, c: false },
    definitions: { d: {} },
    items: [{}, true],
    prefixItems: [{}],
    additionalItems: {},
    contains: {},
    if: {},
    dependencies: { e: ["f"], g: {} },
    dependentSchemas: { h: {} },
    properties: { const: {}, "~": {} },
    not: {},
    anyOf: [{}],
    const: { not: {} },
    enum: [{ not: {} }],
    default: { not: {} },
    examples: [{ not: {} }],
    "x-other": { not: {} },
  };
  const early = ["/definitions/d", "/items/0", "/items/1", "/additionalItems"];
  const common = ["/properties/const", "/properties/~0", "/not", "/anyOf/0"];

  it.each([
    ["draft-04", [...early, "/dependencies/g", ...common]],
    ["draft-06", [...early, "/contains", "/dependencies/g", ...common]],
    ["draft-07", [...early, "/contains", "/if", "/dependencies/g", ...common]],
    [
      "2019-09",
      ["/$defs/a~1b", "/$defs/c", ...early, "/contains", "/if", "/dependencies/g", "/dependentSchemas/h", ...common],
    ],
    [
      "2020-12",
      [
        "/$defs/a~1b",
        "/$defs/c",
        "/definitions/d",
        "/prefixItems/0",
        "/contains",
        "/if",
        "/dependencies/g",
        "/dependentSchemas/h",
        ...common,
      ],
    ],
  ])("of %s are found, and data is not mistaken for them", (name, paths) => {
    expect([...subschemas(schema, dialectCalled(name))].map(({ path }) => path)).toEqual(paths);
  });

  it("ignores a malformed value of a keyword", () => {
    const misshapen = { items: 1, anyOf: {}, properties: [{}], not: [{}], allOf: [1, {}], $defs: { a: null } };
    expect([...subschemas(misshapen, dialectCalled("2020-12"))].map(({ path }) => path)).toEqual(["/allOf/1"]);
  });
});

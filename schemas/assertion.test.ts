import { expect, it } from "vitest";
import { fragmentsIn, namesAssertion, placedAssertion, shortAssertion } from "./assertion.ts";

const site = "https://api.example/schemas/order.json#/$defs/at/format";
const source = { file: "order/schemas/order.schema.json", line: 41, column: 20 };

it("prints an assertion with its place, without the address before its file", () => {
  expect(placedAssertion(site, source)).toBe("order/schemas/order.schema.json:41:20 #/$defs/at/format");
  expect(shortAssertion(site)).toBe("order.json#/$defs/at/format");
});

it.each([
  site,
  "order.json#/$defs/at/format",
  "order.schema.json#/$defs/at/format",
  "order/schemas/order.schema.json#/$defs/at/format",
  "order/schemas/order.schema.json:41:20 #/$defs/at/format",
  "order/schemas/order.schema.json:41:20",
  "./order/schemas/order.schema.json:41",
  "order.schema.json:41:20",
  "order.schema.json:44:20 #/$defs/at/format",
])("is named by %s", (given) => expect(namesAssertion(given, site, source)).toBe(true));

it.each([
  "order.json#/$defs/at",
  "other.json#/$defs/at/format",
  "x/order.schema.json:41:20",
  "order.schema.json:42",
  "order.schema.json:41:21",
  "order.schema.json:41:20 #/$defs/at/pattern",
  "order.schema.json",
  "#/$defs/at/format",
])("is not named by %s", (given) => expect(namesAssertion(given, site, source)).toBe(false));

it("uses the pointer in the file, if it differs from the pointer in the schema", () => {
  const pointer = "/components/schemas/Order/properties/at/format";
  const sourceInDocument = { ...source, file: "openapi.yaml", pointer };
  const printed = placedAssertion(site, sourceInDocument);
  expect(printed).toBe(`openapi.yaml:41:20 #${pointer}`);
  const names = [
    printed,
    `openapi.yaml#${pointer}`,
    "openapi.yaml:41:20 #/$defs/at/format",
    "order.json#/$defs/at/format",
  ];
  expect(names.filter((given) => !namesAssertion(given, site, sourceInDocument))).toEqual([]);
  expect(namesAssertion("openapi.yaml#/$defs/at/format", site, sourceInDocument)).toBe(false);
});

it("also replaces the pointers of other assertions in a sentence by pointers into the file", () => {
  const at = "https://api.example/schemas/order.json#/$defs/at/minLength";
  const pointer = "/components/schemas/At/minLength";
  const translated = fragmentsIn("#/$defs/at/minLength and #/$defs/x exclude each other", site, (location) =>
    location === at ? { ...source, pointer } : undefined,
  );
  expect(translated).toBe(`#${pointer} and #/$defs/x exclude each other`);
});

it("is not named by any place in a file if its source is unknown", () => {
  expect(namesAssertion("order.schema.json:41:20", site, undefined)).toBe(false);
  expect(namesAssertion("order.json#/$defs/at/format", site, undefined)).toBe(true);
});

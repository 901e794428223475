import { Ajv as Ajv07 } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { folderWith } from "../folder.fixture.ts";
import type { JsonObject } from "../json.ts";
import { readPack, sourceIn } from "./read.ts";

const shop: JsonObject = {
  $id: "https://example.org/shop.json",
  $defs: {
    order: { type: "object", required: ["line"], properties: { line: { $ref: "#/$defs/line" } } },
    line: { type: "string", minLength: 2 },
    "a/b": { type: "integer" },
    JSONRPCError: { type: "null" },
  },
};
const packWith = (schema: JsonObject, ...documents: JsonObject[]) =>
  readPack(folderWith({ "profile.json": { protocol: "shop", documents }, "schemas/shop.json": schema }));
const part = (pointer: string, more: JsonObject = {}): JsonObject => ({
  file: `schemas/shop.json#${pointer}`,
  ...more,
});

it.each([
  ["https://json-schema.org/draft/2020-12/schema", Ajv2020],
  ["http://json-schema.org/draft-07/schema#", Ajv07],
])("validates a document that is a part of a file, under %s", ($schema, Ajv) => {
  const protocol = packWith(
    { $schema, ...shop },
    part("/$defs/order"),
    part("/$defs/a~1b", { name: "odd" }),
    part("/$defs/JSONRPCError"),
  );
  const [order, oddlyNamed, errorDocument] = protocol.profile.documents;
  expect([order?.name, oddlyNamed?.name, errorDocument?.name]).toEqual(["order", "odd", "jsonrpc-error"]);
  const ajv = new Ajv({ strict: false, schemas: protocol.schemas });
  const verdicts = (id: string | undefined, ...values: unknown[]) =>
    values.map((value) => ajv.validate(String(id), value));
  expect(verdicts(order?.schema, { line: "ab" }, { line: "a" }, {})).toEqual([true, false, false]);
  expect(verdicts(oddlyNamed?.schema, 1, "1")).toEqual([true, false]);
  expect(sourceIn(protocol, `${order?.schema}#`)).toMatchObject({
    line: expect.any(Number),
    file: expect.stringMatching(/shop\.json$/),
  });
});

it("reports a part that does not exist, and suggests a similar one", () => {
  expect(() => packWith(shop, part("/$defs/ordr"))).toThrow(/nothing is at #\/\$defs\/ordr/);
  expect(() => packWith(shop, { name: "order" })).toThrow("has neither file nor schema");
  expect(() => packWith(shop, { file: "schemas/shp.json#/$defs/order" })).toThrow(
    /the file "schemas\/shp\.json" does not exist/,
  );
});

import { expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { reachedSchemas } from "./reached-schemas.ts";

const $schema = "http://json-schema.org/draft-07/schema#";
const $id = "https://x.example/whole";

it("omits members that no instance has, and definitions that only they refer to", () => {
  const schema: JsonObject = {
    $schema,
    $id,
    required: ["kind"],
    properties: { kind: { $ref: "#/definitions/kind" }, more: { $ref: "#/definitions/more" } },
    dependencies: { kind: ["other"], other: { properties: { kind: true, deep: { type: "array" } } } },
    definitions: {
      kind: { enum: [{ properties: { more: 1 } }] },
      more: { $ref: `${$id}#/definitions/last` },
      last: {},
    },
  };
  const [reached] = reachedSchemas([schema], $id, [{ kind: { properties: 1 }, other: [] }]);
  expect(reached).toEqual({
    ...schema,
    properties: { kind: { $ref: "#/definitions/kind" } },
    dependencies: { kind: ["other"], other: { properties: { kind: true } } },
    definitions: { kind: { enum: [{ properties: { more: 1 } }] } },
  });
});

it.each<[string, JsonObject]>([
  ["an anchor", { $ref: "#here", definitions: { here: { $id: "#here" } } }],
  ["a nested identifier", { items: { $id: "https://x.example/other" } }],
  ["a reference into a member", { properties: { a: { $ref: "#/properties/b" }, b: {} } }],
  ["an unresolved reference", { $ref: "https://x.example/absent" }],
])("does not reduce a schema with %s", (_, members) => {
  const schemas = [{ $schema, $id, ...members }];
  expect(reachedSchemas(schemas, $id, [{ a: 1 }])).toBe(schemas);
});

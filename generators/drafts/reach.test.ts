import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { places } from "../evaluate/places.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { partsAt } from "./reach.ts";

/** Lists the parts of an instance to which each place of a schema leads, by the location of its schema. */
async function partsByPlace(schema: JsonObject, instance: Json): Promise<Record<string, string[]>> {
  const model = await compileModel([document(schema)], id);
  return Object.fromEntries(places(model).map((place) => [place.node.split("#")[1], partsAt(model, place, instance)]));
}

describe("partsAt", () => {
  it("finds every item and member", async () => {
    const schema = { properties: { "a/b": { items: { type: "integer" } } }, additionalProperties: { type: "array" } };
    expect(await partsByPlace(schema, { "a/b": [1, 2], c: [] })).toMatchObject({
      "/properties/a~1b": ["/a~1b"],
      "/properties/a~1b/items": ["/a~1b/0", "/a~1b/1"],
    });
    expect((await partsByPlace(schema, {}))["/properties/a~1b"]).toEqual([]);
  });

  it("enters branches and conditions only if they hold", async () => {
    const schema = {
      oneOf: [{ type: "string" }, { type: "object" }],
      if: { required: ["a"] },
      then: { maxProperties: 2 },
      else: { maxProperties: 1 },
    };
    expect(await partsByPlace(schema, { a: 1 })).toMatchObject({
      "/oneOf/0": [],
      "/oneOf/1": [""],
      "/then": [""],
      "/else": [],
    });
    expect(await partsByPlace(schema, "a")).toMatchObject({ "/oneOf/0": [""], "/oneOf/1": [], "/then": [""] });
  });

  it("enters branches and conditions that are draft-07 references, which `places` skips", async () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: { text: { type: "string" }, list: { type: "array" }, short: { maxLength: 1, maxItems: 1 } },
      anyOf: [{ $ref: "#/definitions/text" }, { $ref: "#/definitions/list" }],
      if: { $ref: "#/definitions/short" },
      then: { not: { const: "" } },
      else: { oneOf: [{ maxLength: 9 }, false] },
    };
    expect(await partsByPlace(schema, "a")).toMatchObject({
      "/definitions/text": [""],
      "/definitions/list": [],
      "/then": [""],
      "/else": [],
    });
    expect(await partsByPlace(schema, [1, 2])).toMatchObject({ "/definitions/list": [""], "/then": [], "/else": [""] });
  });
});

import { describe, expect, it } from "vitest";
import { sampleInputs } from "./typical.ts";

const booleanOrText = { type: ["boolean", "string"] };
const nonEmptyString = { type: "string", minLength: 1 };

describe("typical inputs of a tool", () => {
  it("have the first of several types, once with the required members and once with all", async () => {
    const list = { type: "array", minItems: 1, items: { type: ["null", "integer", "string"] } };
    const schema = {
      type: "object",
      required: ["on", "name"],
      properties: { on: booleanOrText, name: nonEmptyString, list, more: booleanOrText },
    };
    const [minimal, complete] = (await sampleInputs({ $id: "schema:/tool.schema.json", ...schema })) as Record<
      string,
      unknown
    >[];
    expect(minimal).toEqual({ on: expect.any(Boolean), name: expect.any(String) });
    expect(complete).toMatchObject({ on: expect.any(Boolean), more: expect.any(Boolean) });
    expect(((complete as Record<string, unknown[]>).list ?? [""]).every((item) => Number.isInteger(item))).toBe(true);
  });

  it.each([
    ["no member is of several types", { type: "object", properties: { name: nonEmptyString } }],
    [
      "a member may only be null as well",
      { type: "object", properties: { a: { anyOf: [nonEmptyString, { type: "null" }] } } },
    ],
    ["there are no members", { type: ["object", "string"] }],
    [
      "no input fulfils the schema",
      { type: "object", properties: { a: { ...booleanOrText, const: 1 } }, required: ["a"] },
    ],
  ])("do not exist if %s", async (_, schema) => {
    expect(await sampleInputs({ $id: "schema:/tool.schema.json", ...schema })).toEqual([]);
  });
});

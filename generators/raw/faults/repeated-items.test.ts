import { expect, it } from "vitest";
import type { JsonObject, Vector } from "../../../schemas/index.ts";
import { oracleFor } from "../../oracle/oracle.ts";
import { note, notes } from "../notes.fixture.ts";
import { rawVectors } from "../vectors.ts";

const integers = { type: "array", items: { type: "integer" } };
const data = { kind: "note", title: "a", loose: [3, 4], levels: [1, 2, 30] };
const parent: Vector = { id: "notes/1.0/note/valid/minimal", description: "", valid: true, data, needs: [], tags: [] };

async function repeatedItemVectors(levels: JsonObject): Promise<Vector[]> {
  const { schemas, ...protocol } = notes();
  const [schema] = schemas as [JsonObject];
  const properties = { ...(schema.properties as JsonObject), loose: integers, levels };
  const protocolWithLevels = { ...protocol, schemas: [{ ...schema, properties }] };
  const vectors = rawVectors(protocolWithLevels, note, [parent], {
    oracle: await oracleFor(protocolWithLevels.schemas, note.schema),
  });
  return vectors.filter(({ fault }) => fault === "repeated-item");
}

it("repeats an item of a list of unique items as another spelling of the same number", async () => {
  expect(await repeatedItemVectors({ ...integers, uniqueItems: true })).toMatchObject([
    { valid: false, at: "/levels", raw: expect.stringContaining('"levels":[1,1.0,30]') },
  ]);
  expect(await repeatedItemVectors(integers)).toEqual([]);
});

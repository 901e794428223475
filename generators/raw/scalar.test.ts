import { expect, it } from "vitest";
import type { Document, JsonObject, Protocol, Vector } from "../../schemas/index.ts";
import { oracleFor } from "../oracle/oracle.ts";
import { rawVectors } from "./vectors.ts";

/** Makes the raw vectors of a document that is not an object. */
async function textsOf(schema: JsonObject, data: Vector["data"]): Promise<Vector[]> {
  const id = "https://touchstone.example/scalar.schema.json";
  const document = { name: "scalar", title: "", schema: id, file: "", standalone: true, role: "entry" } as Document;
  const protocol = {
    name: "notes",
    version: "1.0",
    rules: [],
    schemas: [{ $id: id, ...schema }],
    profile: { documents: [document], http: { accepted: [], rejected: [] } },
  } as unknown as Protocol;
  const parent = { id: "notes/1.0/scalar/valid/minimal", description: "", valid: true, data, needs: [], tags: [] };
  return rawVectors(protocol, document, [parent as Vector], { oracle: await oracleFor(protocol.schemas, id) });
}

it.each<[JsonObject, Vector["data"]]>([
  [{ type: "string" }, "aa"],
  [{ type: "integer" }, 425],
  [{ type: "boolean" }, true],
])("does not make an invalid text that is JSON of the correct type: %j", async (schema, data) => {
  const texts = await textsOf(schema, data);
  const refused = texts.filter(({ valid, raw }) => valid === false && raw !== undefined);
  expect(refused.length).toBeGreaterThan(3);
  const tryParse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  for (const { id, raw = "" } of refused) expect(typeof tryParse(raw), id).not.toBe(typeof data);
});

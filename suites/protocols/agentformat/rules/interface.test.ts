import { describe, expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { react } from "./documents.fixture.ts";

const protocol = await ruled(protocolNamed("agentformat"));
const faultsOf = (input: Json): string[] =>
  findings(protocol, "agent", { ...react(), interface: { input, output: {} } }).map(
    ({ at, level }) => `${at} ${level}`,
  );
const inEdition = ($schema: string, schema: JsonObject): JsonObject => ({ $schema, ...schema });
const tupleSchema = { items: [{ type: "string" }] };

describe("the schema of an input", () => {
  it.each([
    [inEdition("https://json-schema.org/draft/2020-12/schema", tupleSchema), ["/interface/input/items SHOULD"]],
    [inEdition("https://json-schema.org/draft/2020-12/schema#", tupleSchema), ["/interface/input/items SHOULD"]],
    [inEdition("https://json-schema.org/draft/2019-09/schema", tupleSchema), []],
    [inEdition("http://json-schema.org/draft-07/schema#", tupleSchema), []],
    [inEdition("http://json-schema.org/draft-07/schema#", { items: 5 }), ["/interface/input/items MUST"]],
    [inEdition("https://schemas.example/our-own", { items: 5 }), []],
    [tupleSchema, ["/interface/input/items SHOULD"]],
    [{ ...tupleSchema, minLength: -1 }, ["/interface/input/items MUST"]],
    [{ properties: { a: { type: "text" } } }, ["/interface/input/properties/a/type MUST"]],
    [{ $schema: 5 }, ["/interface/input/$schema MUST"]],
  ] as [JsonObject, string[]][])("%j has faults at %j", (input, at) => expect(faultsOf(input)).toEqual(at));

  it("is not judged if it is nested too deeply", () => {
    const nested = (depth: number, core: Json): Json => {
      let schema = core;
      for (let level = 0; level < depth; level += 1) schema = { not: schema };
      return schema;
    };
    expect(faultsOf(nested(250, { minLength: -1 }))).toHaveLength(1);
    expect(faultsOf(nested(100_000, { minLength: -1 }))).toEqual([]);
  });
});

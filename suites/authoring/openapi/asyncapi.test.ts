import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packFrom } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "asyncapi-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function makePack(text: string) {
  const file = join(folder, "api.yaml");
  writeFileSync(file, text);
  const { texts, notes, oddities } = await packFrom(file, { out: join(folder, "pack") });
  return {
    notes,
    oddities,
    files: Object.fromEntries([...texts].map(([path, fileText]) => [path, JSON.parse(fileText)])),
  };
}

it("makes a document of each message's payload, once", async () => {
  const { files, notes, oddities } = await makePack(`asyncapi: 3.0.0
info: { title: Lights, version: 1.0.0 }
channels:
  lights:
    messages:
      lightMeasured: { $ref: "#/components/messages/lightMeasured" }
      turnOn: { payload: { schemaFormat: application/schema+json;version=draft-07, schema: { type: object, required: [command] } } }
components:
  messages:
    lightMeasured:
      title: Light was measured
      payload: { $ref: "#/components/schemas/lumens" }
      examples: [{ payload: { lumens: 3 } }, { payload: { lumens: -3 } }]
    inAvro: { payload: { schemaFormat: application/vnd.apache.avro;version=1.9.0, schema: { type: record } } }
  schemas:
    lumens: { type: object, properties: { lumens: { type: integer, minimum: 0 } } }
`);
  const { documents, http } = files["profile.json"];
  expect(documents).toEqual([
    {
      name: "light-measured",
      title: "Light was measured",
      file: "schemas/light-measured.schema.json",
      samples: [{ lumens: 3 }],
    },
    { name: "turn-on", title: "turn-on", file: "schemas/turn-on.schema.json" },
  ]);
  expect(http).toBeUndefined();
  expect(files["schemas/light-measured.schema.json"].$defs.lumens.properties.lumens.minimum).toBe(0);
  expect(files["schemas/turn-on.schema.json"]).toMatchObject({ required: ["command"] });
  expect(notes).toEqual([
    expect.stringMatching(/:14:\d+ .*in-avro is not tested: its payload is described in application\/vnd.apache.avro/),
  ]);
  expect(oddities).toEqual([expect.objectContaining({ line: 13, kind: "invalid-example" })]);
});

it("refuses a document if no message has a payload", async () => {
  await expect(makePack("asyncapi: 3.0.0\nchannels: {}")).rejects.toThrow(/no message with a payload/);
});

it("reads schemas as draft-07 unless their format names a later dialect", async () => {
  const tuple = "type: array, items: [{ type: number }], additionalItems: false";
  const { files } = await makePack(`asyncapi: 3.0.0
info: { title: Seven, version: 1.0.0 }
components:
  messages:
    tuple: { payload: { ${tuple} } }
    needs: { payload: { dependencies: { a: [b], c: { required: [d] } }, dependentRequired: { x: [y] } } }
    beside: { payload: { properties: { s: { $ref: "#/components/schemas/Short", maxLength: 2 } } } }
    later: { payload: { schemaFormat: application/schema+json;version=2020-12, schema: { properties: { s: { $ref: "#/components/schemas/Short", maxLength: 2 } } } } }
  schemas:
    Short: { type: string }
`);
  const { $id: _, ...written } = files["schemas/tuple.schema.json"];
  expect(written).toEqual({ type: "array", prefixItems: [{ type: "number" }], items: false });
  expect(files["schemas/needs.schema.json"]).toMatchObject({
    dependentRequired: { a: ["b"] },
    dependentSchemas: { c: { required: ["d"] } },
  });
  expect(files["schemas/beside.schema.json"].properties.s).toEqual({ $ref: "#/$defs/Short" });
  expect(files["schemas/later.schema.json"].properties.s).toEqual({ $ref: "#/$defs/Short", maxLength: 2 });
});

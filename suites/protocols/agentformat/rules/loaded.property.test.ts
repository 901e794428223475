import fc from "fast-check";
import { expect, it } from "vitest";
import { type Json, protocolNamed } from "../../../../schemas/index.ts";
import { loadVectors } from "../../../packs/corpus/index.ts";
import { loadText } from "./loaded.ts";

/** Reads a JSON document as JSON, and as YAML, which a line feed at its end enforces. */
function readBothWays(text: string): unknown[] {
  return [text, `${text}\n`].map((variant) => {
    const loaded = loadText(Buffer.from(variant));
    return loaded === undefined || "why" in loaded ? loaded : { value: loaded.value, nodes: loaded.document().toJS() };
  });
}

it("reads any JSON object like a YAML parser", () => {
  const object = fc.dictionary(
    fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("<<", "__proto__", "1")),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(object, (value) => {
      const [json, yaml] = readBothWays(JSON.stringify(value));
      expect(json).toEqual(yaml);
    }),
  );
});

it("reads the data of vectors like a YAML parser", () => {
  const { files } = loadVectors(protocolNamed("agentformat"));
  const values = files.flatMap(({ tests: [first] }): Json[] => (first?.data === undefined ? [] : [first.data]));
  expect(values.length).toBeGreaterThan(1);
  for (const value of values) {
    const [json, yaml] = readBothWays(JSON.stringify(value));
    expect(json).toEqual(yaml);
  }
});

it("refuses a repeated name in JSON", () => {
  expect(loadText(Buffer.from('{"a":1,"a":1}'))).toHaveProperty("why");
});

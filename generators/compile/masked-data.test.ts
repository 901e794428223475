import { describe, expect, it } from "vitest";
import { dialects, type JsonObject } from "../../schemas/index.ts";
import { lint } from "../lint/lint.ts";
import { oracleFor } from "../oracle/oracle.ts";
import { compileModel } from "./compile.ts";

const id = "https://data.example/a";

// Draft-04 is read as draft-07.
describe.each(dialects.map(({ uri }) => uri).filter((uri) => !uri.includes("draft-04")))("data in %s", ($schema) => {
  const isOld = /draft-0/.test($schema);
  const data: JsonObject[] = [
    { $id: "x", k: 1 },
    { id: "x" },
    { $anchor: "q" },
    { $id: "#q" },
    { $ref: "#/nowhere" },
    { $dynamicAnchor: "q", a: [{ $id: "y", $schema: "urn:none" }] },
    { $dynamicRef: "#q", "": { $ref: "z", "10": 3, "9": 4, "\uffff": 1, "\ud83d\ude00": 2 } },
    { $recursiveAnchor: true, $vocabulary: { "urn:x": true } },
    { $schema: "urn:none", $id: id },
  ];
  const schemas: JsonObject[] = [
    {
      $schema,
      $id: id,
      type: "object",
      properties: {
        e: { enum: [...data, { k: 2 }] },
        c: { allOf: data.map((each) => ({ properties: { [JSON.stringify(each)]: { const: each } } })) },
        d: { default: { $id: "x", $anchor: "q" }, examples: data },
        q: { $ref: "#q" },
      },
      definitions: { q: isOld ? { $id: "#q", type: "integer" } : {} },
      ...(isOld ? {} : { $defs: { q: { $anchor: "q", type: "integer" } } }),
    },
  ];

  it("is not interpreted, even if its members are named like keywords", async () => {
    const { judge } = await oracleFor(schemas, id, "lenient");
    const model = await compileModel(schemas, id);
    for (const each of data) {
      const c = { [JSON.stringify(each)]: each };
      expect([each, judge({ e: each, c, d: each, q: 1 }).verdict]).toEqual([each, "valid"]);
      expect([each, judge({ e: { ...each, more: 1 } }).verdict]).toEqual([each, "invalid"]);
      expect([each, judge({ c: { [JSON.stringify(each)]: {} } }).verdict]).toEqual([each, "invalid"]);
    }
    expect(judge({ q: "a" }).verdict).toBe("invalid");
    expect(lint(model, schemas)).toEqual([]);
  });
});

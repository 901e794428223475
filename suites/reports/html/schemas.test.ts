import { expect, it } from "vitest";
import { hostile } from "../../results/sample.fixture.ts";
import { schemasOf } from "./schemas.ts";

const $id = "https://example.org/note";

it("returns only schemas with an address, with invisible characters escaped", () => {
  const [schema, ...others] = schemasOf([{ $id: `${$id}#`, [hostile]: [hostile] }, { type: "object" }]);
  expect(others).toEqual([]);
  expect(schema?.id).toBe($id);
  expect(JSON.stringify(schema)).not.toMatch(/\u001b|\u202e/);
  expect(JSON.stringify(schema)).toContain("\\\\u202e");
});

it("adds the names of a schema if they are known", () => {
  const nameOfSchema = (id: string): string | undefined => (id === $id ? "note, note.schema.json" : undefined);
  const names = schemasOf([{ $id: `${$id}#` }, { $id: "urn:other" }], nameOfSchema).map((schema) => schema.called);
  expect(names).toEqual(["note, note.schema.json", undefined]);
});

it("leaves out a schema that is too large, and shortens long texts", () => {
  expect(schemasOf([{ $id, enum: Array.from({ length: 30_000 }, (_, index) => index) }])).toEqual([]);
  const [schema] = schemasOf([{ $id, title: "x".repeat(100_000) }]);
  expect(JSON.stringify(schema).length).toBeLessThan(3000);
});

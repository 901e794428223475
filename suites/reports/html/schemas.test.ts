import { expect, it } from "vitest";
import { hostile } from "../../results/sample.fixture.ts";
import { schemasOf } from "./schemas.ts";

const $id = "https://example.org/note";

it("has schemas by their address, with no invisible characters", () => {
  const [only, ...others] = schemasOf([{ $id: `${$id}#`, [hostile]: [hostile] }, { type: "object" }]);
  expect(others).toEqual([]);
  expect(only?.id).toBe($id);
  expect(JSON.stringify(only)).not.toMatch(/\u001b|\u202e/);
  expect(JSON.stringify(only)).toContain("\\\\u202e");
});

it("has the usual names of each, if known", () => {
  const called = (id: string): string | undefined => (id === $id ? "note, note.schema.json" : undefined);
  const names = schemasOf([{ $id: `${$id}#` }, { $id: "urn:other" }], called).map((schema) => schema.called);
  expect(names).toEqual(["note, note.schema.json", undefined]);
});

it("shows no schema that is too large for the page, and no overlong text", () => {
  expect(schemasOf([{ $id, enum: Array.from({ length: 30_000 }, (_, index) => index) }])).toEqual([]);
  const [only] = schemasOf([{ $id, title: "x".repeat(100_000) }]);
  expect(JSON.stringify(only).length).toBeLessThan(3000);
});

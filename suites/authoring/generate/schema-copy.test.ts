import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SchemaCopier } from "./schema-copy.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const schema = { $id: "https://x.example/a.json", type: "object", required: ["b"] };

function written(text: string): string {
  const file = join(folder, "a.json");
  writeFileSync(file, text);
  return new SchemaCopier().copy(schema, file);
}

it("copies an equivalent file byte for byte, so that lines are those of the user's file", () => {
  const own = '{\n\n  "$id": "https://x.example/a.json",\n  "type": "object", "required": ["b"] }';
  expect(written(own)).toBe(own);
});

it("puts an added $id on the first line", () => {
  expect(written('{\n  "type": "object",\n  "required": ["b"]\n}\n')).toBe(
    '{ "$id": "https://x.example/a.json",\n  "type": "object",\n  "required": ["b"]\n}\n',
  );
});

it.each([
  ["says something else", '{ "$id": "https://x.example/a.json", "type": "array", "required": ["b"] }'],
  ["says it in another order", '{ "$id": "https://x.example/a.json", "required": ["b"], "type": "object" }'],
  ["is no JSON", "$id: https://x.example/a.json"],
  ["is a list", "[]"],
])("writes the schema again if the file %s", (_, text) => {
  expect(written(text)).toBe(`${JSON.stringify(schema, null, 2)}\n`);
  expect(new SchemaCopier().copy(schema, undefined)).toBe(`${JSON.stringify(schema, null, 2)}\n`);
});

it("copies the text that a file had when it was first read", () => {
  const copier = new SchemaCopier();
  const file = join(folder, "a.json");
  const own = JSON.stringify(schema);
  writeFileSync(file, own);
  expect(copier.copy(schema, file)).toBe(own);
  rmSync(file);
  expect(copier.copy(schema, file)).toBe(own);
});

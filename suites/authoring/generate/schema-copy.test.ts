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

function copyOf(text: string): string {
  const file = join(folder, "a.json");
  writeFileSync(file, text);
  return new SchemaCopier().copy(schema, file);
}

it("copies an equivalent file byte for byte, so that line numbers are those of the user's file", () => {
  const original = '{\n\n  "$id": "https://x.example/a.json",\n  "type": "object", "required": ["b"] }';
  expect(copyOf(original)).toBe(original);
});

it("puts an added $id on the first line", () => {
  expect(copyOf('{\n  "type": "object",\n  "required": ["b"]\n}\n')).toBe(
    '{ "$id": "https://x.example/a.json",\n  "type": "object",\n  "required": ["b"]\n}\n',
  );
});

it.each([
  ["has other content", '{ "$id": "https://x.example/a.json", "type": "array", "required": ["b"] }'],
  ["has its members in another order", '{ "$id": "https://x.example/a.json", "required": ["b"], "type": "object" }'],
  ["is not JSON", "$id: https://x.example/a.json"],
  ["is a list", "[]"],
])("writes the schema again if the file %s", (_, text) => {
  expect(copyOf(text)).toBe(`${JSON.stringify(schema, null, 2)}\n`);
  expect(new SchemaCopier().copy(schema, undefined)).toBe(`${JSON.stringify(schema, null, 2)}\n`);
});

it("copies the text that a file had when it was first read", () => {
  const copier = new SchemaCopier();
  const file = join(folder, "a.json");
  const original = JSON.stringify(schema);
  writeFileSync(file, original);
  expect(copier.copy(schema, file)).toBe(original);
  rmSync(file);
  expect(copier.copy(schema, file)).toBe(original);
});

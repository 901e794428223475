import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { declaresDescription } from "./description-names.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

it.each([
  ["at its beginning", { openapi: "3.1.0", info: {} }, true],
  ["behind other members", { info: { title: "A" }, openapi: "3.1.0" }, true],
  ["as a number", { info: {}, swagger: 2.1 }, true],
  ["in an example alone", { info: {}, examples: [{ openapi: "3.1.0" }] }, false],
  ["in a schema of such documents", { properties: { openapi: { const: "3.1.0" } } }, false],
])("recognizes a document on one line that has its version %s", (_, value, expected) => {
  const file = join(folder, "api.json");
  for (const byteOrderMark of ["", "\ufeff"]) {
    writeFileSync(file, byteOrderMark + JSON.stringify(value));
    expect(declaresDescription(file)).toBe(expected);
  }
});

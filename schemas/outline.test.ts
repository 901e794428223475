import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { outlinesFile, packOutlines, readOutlines } from "./outline.ts";
import type { VectorOutline } from "./vector.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-outlines-"));
afterAll(() => rmSync(folder, { recursive: true }));

const refused = { valid: false, rule: "A-1", fault: "missing", tags: ["token", "boundary"], id: "a/1/b/invalid/one" };

it("contains only the outlines of vectors, each with the number of such vectors", () => {
  const disputed = { readings: [{ verdict: "valid", by: ["ajv"] }], tags: [] } as VectorOutline;
  const alike = { ...refused, tags: ["token"], id: "a/1/b/invalid/two" };
  const file = join(folder, outlinesFile("a", "1"));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, packOutlines([{ document: "b", tests: [refused, disputed, alike] }]));
  const outline = { valid: false, rule: "A-1", fault: "missing", tags: ["token"] };
  expect(readOutlines(folder, "a", "1")).toEqual([{ document: "b", tests: [outline, outline, disputed] }]);
});

it("is empty if there are no vectors", () => {
  expect(readOutlines(folder, "a", "2")).toBeUndefined();
});

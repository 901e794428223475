import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { outlinesFile, packOutlines, readOutlines } from "./outline.ts";
import type { VectorOutline } from "./vector.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-outlines-"));
afterAll(() => rmSync(folder, { recursive: true }));

const refusedVector = {
  valid: false,
  rule: "A-1",
  fault: "missing",
  tags: ["token", "boundary"],
  id: "a/1/b/invalid/one",
};

it("stores each outline once, and returns it once for each vector", () => {
  const disputed = { readings: [{ verdict: "valid", by: ["ajv"] }], tags: [] } as VectorOutline;
  const sameOutline = { ...refusedVector, tags: ["token"], id: "a/1/b/invalid/two" };
  const file = join(folder, outlinesFile("a", "1"));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, packOutlines([{ document: "b", tests: [refusedVector, disputed, sameOutline] }]));
  const outline = { valid: false, rule: "A-1", fault: "missing", tags: ["token"] };
  expect(readOutlines(folder, "a", "1")).toEqual([{ document: "b", tests: [outline, outline, disputed] }]);
});

it("returns undefined for a protocol without outlines", () => {
  expect(readOutlines(folder, "a", "2")).toBeUndefined();
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRecord } from "./record.ts";

it("remembers the passed files when it is opened again, and ignores a truncated last line", () => {
  const file = join(mkdtempSync(join(tmpdir(), "touchstone-")), "passed.txt");
  openRecord(file).add("a.test.ts");
  expect(openRecord(file).has("a.test.ts")).toBe(true);
  writeFileSync(file, "a.test.ts\nb.te");
  const record = openRecord(file);
  expect(["a.test.ts", "b.te", "b.test.ts"].map((name) => record.has(name))).toEqual([true, false, false]);
  record.add("b.test.ts");
  expect(["a.test.ts", "b.test.ts"].map((name) => openRecord(file).has(name))).toEqual([true, true]);
});

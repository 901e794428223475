import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mustBeLeftEmpty } from "./temporary-folder.setup.ts";

it("reports leftovers in a temporary folder, except the folders of tests", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  for (const name of ["touchstone-aB3xYz", "tsx-0"]) mkdirSync(join(folder, name));
  mustBeLeftEmpty(folder);
  mkdirSync(join(folder, "touchstone-run-aB3xYz"));
  expect(() => mustBeLeftEmpty(folder)).toThrow("left in the temporary folder: touchstone-run-aB3xYz; remove");
});

it("gives each test file a separate temporary folder", () => expect(tmpdir()).toContain("touchstone-test-"));

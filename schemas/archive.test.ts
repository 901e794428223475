import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { archiveOf, filesIn, packArchive } from "./archive.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

const files: [string, Buffer][] = [
  ["note/1.0/note/valid.json", Buffer.from('{"zoë": "☃"}\n')],
  ["note/1.0/note/raw.json", Buffer.from([0xff, 0x0a, 0x00])],
  ["note/1.0/traces/empty.json", Buffer.alloc(0)],
];

it("returns archived files byte for byte, prefers existing plain files, and throws for missing files", () => {
  mkdirSync(join(folder, "note"));
  writeFileSync(join(folder, archiveOf("note/1.0/note/valid.json")), packArchive(files));
  const readArchived = filesIn(folder);
  for (const [path, bytes] of files) expect(readArchived(path)).toEqual(bytes);
  expect(() => readArchived("note/1.0/note/invalid.json")).toThrow(/ENOENT/);
  expect(() => readArchived("note/2.0/note/valid.json")).toThrow(/ENOENT/);

  mkdirSync(join(folder, "note/1.0/note"), { recursive: true });
  writeFileSync(join(folder, "note/1.0/note/valid.json"), "{}");
  expect(filesIn(folder)("note/1.0/note/valid.json").toString()).toBe("{}");
});

it("stores shared content once", () => {
  // Random bytes, so that only the similarity of the two files can save space.
  const half = Buffer.from(
    Array.from({ length: 20_000 }, (_, index) => (index * index * 7919 + (index >> 3) * 104_729) % 251),
  );
  const sizeOfOne = packArchive([["a/1/x.json", half]]).length;
  expect(
    packArchive([
      ["a/1/x.json", half],
      ["a/1/y.json", half],
    ]).length,
  ).toBeLessThan(sizeOfOne + 100);
});

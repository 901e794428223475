import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeVectors, write } from "./make.ts";
import { skeleton } from "./skeleton.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("works on the smaller of several schemas first, so that the larger have what these leave of the time", async () => {
  const schemas = [3, 1, 2].map((members) => {
    const path = join(folder, `of-${members}.schema.json`);
    const properties = Object.fromEntries(
      Array.from({ length: members }, (_, index) => [`p${index}`, { type: "null" }]),
    );
    writeFileSync(path, JSON.stringify({ properties }));
    return path;
  });
  const out = join(folder, "pack");
  write(out, (await skeleton({ schemas, refs: [], out })).texts);
  const asked: number[] = [];
  const { manifest } = await makeVectors(out, {
    milliseconds: 60_000,
    watch({ stage, total }) {
      if (stage === "faults") asked.push(total);
      return true;
    },
  });
  expect([...new Set(asked)]).toEqual([2, 3, 4]);
  expect(manifest.documents.map(({ document }) => document)).toEqual(["of-3", "of-1", "of-2"]);
});

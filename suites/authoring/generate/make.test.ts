import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readPack } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { checkSet } from "../check/index.ts";
import { makeVectors, writeTexts } from "./make.ts";
import { createSkeleton } from "./skeleton.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("starts with the smaller of several schemas, so that the larger ones get the remaining time", async () => {
  const schemas = [3, 1, 2].map((members) => {
    const path = join(folder, `of-${members}.schema.json`);
    const properties = Object.fromEntries(
      Array.from({ length: members }, (_, index) => [`p${index}`, { type: "null" }]),
    );
    writeFileSync(path, JSON.stringify({ properties }));
    return path;
  });
  const out = join(folder, "pack");
  writeTexts(out, (await createSkeleton({ schemas, refs: [], out })).texts);
  const totals: number[] = [];
  const { manifest } = await makeVectors(out, {
    milliseconds: 60_000,
    watch({ stage, total }) {
      if (stage === "faults") totals.push(total);
      return true;
    },
  });
  expect([...new Set(totals)]).toEqual([2, 3, 4]);
  expect(manifest.documents.map(({ document }) => document)).toEqual(["of-3", "of-1", "of-2"]);
});

it("writes numbers that are not doubles exactly as in the schema", async () => {
  const path = join(folder, "exact.schema.json");
  writeFileSync(path, '{"type":"object","required":["c"],"properties":{"c":{"const":9007199254740993}}}');
  const out = join(folder, "exact");
  writeTexts(out, (await createSkeleton({ schemas: [path], refs: [], out })).texts);
  await makeVectors(out, { effort: 0.01 });
  const { files } = loadVectors(readPack(out));
  const tests = files.flatMap((file) => file.tests);
  const numbers = tests.flatMap(({ raw = "" }) => raw.match(/(?<!["\d])90071992547409\d\d(?![\d"])/g) ?? []);
  expect(new Set(numbers)).toEqual(new Set(["9007199254740993"]));
  const minimal = tests.find(({ id }) => id.endsWith("/valid/minimal"));
  expect(minimal).toMatchObject({ raw: '{"c":9007199254740993}', valid: true, needs: ["big-numbers"] });
  expect((await checkSet(join(out, "vectors"), () => {})).complaints).toEqual([]);
});

it("reports that no message is valid for both validators", async () => {
  const path = join(folder, "differ.schema.json");
  const has = (a: string) => ({ contains: { type: "object", properties: { a: { const: a } }, required: ["a"] } });
  // Ajv forgets what `contains` of neighbours has evaluated (ajv-validator/ajv#1909).
  writeFileSync(path, JSON.stringify({ type: "array", unevaluatedItems: false, allOf: [has("A")], anyOf: [has("B")] }));
  const out = join(folder, "differ");
  writeTexts(out, (await createSkeleton({ schemas: [path], refs: [], out })).texts);
  await expect(makeVectors(out, { effort: 0.01 })).rejects.toMatchObject({
    hint: expect.stringContaining("validators disagree about every message"),
  });
});

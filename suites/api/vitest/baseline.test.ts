import { expect, it } from "vitest";
import type { BaselineEntry } from "../../../schemas/index.ts";
import { sampleProtocol } from "../../packs/corpus/sample.fixture.ts";
import { result, violatedResult } from "../../results/sample.fixture.ts";
import { type BaselineCheck, findBaselineFaults } from "./baseline.ts";

const [passing, failing] = [result({ id: "sample/1.0/note/valid/a" }), violatedResult("sample/1.0/note/invalid/b")];

function faultKinds(
  entries: Omit<BaselineEntry, "reason" | "outcome">[],
  overrides: Partial<BaselineCheck> = {},
): string[] {
  const baseline = {
    $schema: "",
    sets: {},
    entries: entries.map((entry): BaselineEntry => ({ outcome: "violates", reason: "later", ...entry })),
  };
  const filter = { only: [], skip: [] };
  const check = {
    baseline,
    protocol: sampleProtocol(),
    results: [passing, failing],
    filter,
    failOn: "must",
    today: "2026-06-15",
  };
  return findBaselineFaults({ ...check, ...overrides } as BaselineCheck).map((line) => line.split(":")[0] as string);
}

it("reports only entries that are expired, unknown or duplicate", () => {
  expect(faultKinds([{ id: failing.id }])).toEqual([]);
  expect(faultKinds([{ id: failing.id, expires: "2026-06-14" }])).toEqual(["expired"]);
  expect(faultKinds([{ id: "sample/1.0/note/invalid/c" }, { rule: "S-9" }])).toEqual(["unknown", "unknown"]);
  expect(faultKinds([{ id: failing.id }, { id: failing.id }])).toEqual(["duplicate"]);
  expect(faultKinds([{ id: "sample/1.0/note/invalid/c" }], { filter: { only: ["note"], skip: [] } })).toEqual([]);
});

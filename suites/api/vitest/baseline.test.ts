import { expect, it } from "vitest";
import type { BaselineEntry } from "../../../schemas/index.ts";
import { sampleProtocol } from "../../packs/corpus/sample.fixture.ts";
import { result, violatedResult } from "../../results/sample.fixture.ts";
import { type HeldList, misfitsOf } from "./baseline.ts";

const [good, bad] = [result({ id: "sample/1.0/note/valid/a" }), violatedResult("sample/1.0/note/invalid/b")];

function held(entries: Omit<BaselineEntry, "reason" | "outcome">[], more: Partial<HeldList> = {}): string[] {
  const list = {
    $schema: "",
    sets: {},
    entries: entries.map((entry): BaselineEntry => ({ outcome: "violates", reason: "later", ...entry })),
  };
  const filter = { only: [], skip: [] };
  const usual = { list, protocol: sampleProtocol(), results: [good, bad], filter, failOn: "must", today: "2026-06-15" };
  return misfitsOf({ ...usual, ...more } as HeldList).map((line) => line.split(":")[0] as string);
}

it("names entries that are expired, unknown or duplicate, and no others", () => {
  expect(held([{ id: bad.id }])).toEqual([]);
  expect(held([{ id: bad.id, expires: "2026-06-14" }])).toEqual(["expired"]);
  expect(held([{ id: "sample/1.0/note/invalid/c" }, { rule: "S-9" }])).toEqual(["unknown", "unknown"]);
  expect(held([{ id: bad.id }, { id: bad.id }])).toEqual(["duplicate"]);
  expect(held([{ id: "sample/1.0/note/invalid/c" }], { filter: { only: ["note"], skip: [] } })).toEqual([]);
});

import { expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/index.ts";
import { type MeasuringProgress, measureSets } from "./measure.ts";
import type { TestSet } from "./sets.ts";

const $id = "https://example.org/size";
const schema: JsonObject = { $id, $schema: "https://json-schema.org/draft/2020-12/schema", maximum: 9 };
const tests = Array.from({ length: 60 }, (_, data) => ({ name: `${data}`, data, valid: data <= 9 }));
const sets: TestSet[] = ["one", "other", "last"].map((name) => {
  return { name, schemas: [schema], schema: $id, tests };
});

it("stops before the next set when the time is over, but always measures the first", async () => {
  const measuredSets = await measureSets(sets, ({ name }) => name === "one");
  expect(measuredSets.map(({ name, partial }) => [name, partial])).toEqual([["one", false]]);
  const stoppedSets = await measureSets(sets, () => false);
  expect(stoppedSets).toMatchObject([{ name: "one", tests: 20, judged: [], partial: true }]);
});

it("stops judging the tests of a set when the time is over, and reports how many were judged", async () => {
  const watch = ({ stage, done }: MeasuringProgress): boolean => stage !== "judging" || done < 30;
  const [firstSet, ...otherSets] = await measureSets(sets, watch);
  expect(firstSet).toMatchObject({ name: "one", tests: 30, sites: 1, broken: 1, partial: true });
  expect(otherSets).toMatchObject([{ tests: 30 }, { tests: 30 }]);
});

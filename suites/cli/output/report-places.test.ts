import { expect, it } from "vitest";
import { formatList } from "../../results/baseline/list-text.ts";
import { filterOf } from "../../results/baseline/vector-filter.ts";
import { linesIn } from "./report-places.ts";

it("finds the line of an entry; for a duplicate, the line of the later one", () => {
  const [outcome, reason] = ["violates", 'it says "no"'] as const;
  const counts = { results: 1, rules: { "S-1": 1 }, scenarios: [], skipped: {}, vectors: filterOf(["a"]) };
  const text = formatList({
    $schema: "",
    sets: {},
    judged: { "run sample http": counts },
    entries: [
      { id: "a", outcome, reason },
      { rule: "S-1", outcome, reason },
      { id: "a", outcome, reason },
    ],
  });
  const lineOf = linesIn(text);
  const lines = text.split("\n");
  expect(lines[(lineOf({ rule: "S-1" }) ?? 0) - 1]).toContain('"rule": "S-1"');
  expect(lineOf({ id: "a" })).toBe(lines.findLastIndex((line) => line.includes('"id": "a"')) + 1);
  expect(lineOf({ id: "b", rule: "S-1" })).toBe(lineOf({ rule: "S-1" }));
  expect(lineOf({ site: "a" })).toBeUndefined();
});

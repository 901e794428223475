import { expect, it } from "vitest";
import { deviationsIn, type PlayResults } from "./play.ts";

function playWith(seed: number, ...results: PlayResults["results"]): PlayResults {
  return { protocol: "order", seed, seconds: 1, results };
}

it("reports outcomes that differ from the most frequent one, and missing outcomes", () => {
  const right = { id: "order/1/scenarios/a/R-1", outcome: "conforms" } as const;
  const other = { id: "order/1/scenarios/b/R-2", outcome: "skipped", why: "no hook" } as const;
  const wrong = { ...right, outcome: "violates", why: "too late" } as const;
  expect(deviationsIn([playWith(1, right, other), playWith(1, right, other), playWith(2, right, other)])).toEqual([]);
  expect(deviationsIn([playWith(1, right, other), playWith(2, wrong, other), playWith(3, right)])).toEqual([
    { id: right.id, seed: 2, outcome: "violates", usual: "conforms", why: "too late" },
    { id: other.id, seed: 3, outcome: "missing", usual: "skipped" },
  ]);
});

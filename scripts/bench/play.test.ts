import { expect, it } from "vitest";
import { deviationsIn, type PlayResults } from "./play.ts";

function playWith(seed: number, ...results: PlayResults["results"]): PlayResults {
  return { protocol: "order", seed, seconds: 1, results };
}

it("reports outcomes that differ from the most frequent one, and missing outcomes", () => {
  const conforming = { id: "order/1/scenarios/a/R-1", outcome: "conforms" } as const;
  const skippedResult = { id: "order/1/scenarios/b/R-2", outcome: "skipped", why: "no hook" } as const;
  const violating = { ...conforming, outcome: "violates", why: "too late" } as const;
  expect(
    deviationsIn([
      playWith(1, conforming, skippedResult),
      playWith(1, conforming, skippedResult),
      playWith(2, conforming, skippedResult),
    ]),
  ).toEqual([]);
  expect(
    deviationsIn([
      playWith(1, conforming, skippedResult),
      playWith(2, violating, skippedResult),
      playWith(3, conforming),
    ]),
  ).toEqual([
    { id: conforming.id, seed: 2, outcome: "violates", usual: "conforms", why: "too late" },
    { id: skippedResult.id, seed: 3, outcome: "missing", usual: "skipped" },
  ]);
});

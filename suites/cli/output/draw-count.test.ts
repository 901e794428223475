import { expect, it } from "vitest";
import { count, type Outcome, type Run } from "../../../schemas/index.ts";
import { result } from "../../results/sample.fixture.ts";
import { explainMissingDraws } from "./draw-count.ts";

function reportOf(outcomes: readonly [document: string, outcome: Outcome][]): { runs: Run[]; complete: true } {
  const results = outcomes.map(([document, outcome], index) => result({ id: `v${index}`, document, outcome }));
  const run: Run = {
    protocol: "sample",
    version: "1.0",
    target: { kind: "http", name: "x" },
    set: { digest: "", count: 0 },
    filter: { only: [], skip: [] },
    counts: count(results),
    results,
  };
  return { runs: [run], complete: true };
}

it.each<[string, [string, Outcome][], number, string]>([
  ["nothing if all messages were drawn", [["note", "conforms"]], 1, ""],
  [
    "the limit that ended the run",
    [
      ["note", "violates"],
      ["note", "violates"],
    ],
    9,
    "2 of 9 messages were drawn: it ends at 2 different failures (--max-failures)\n",
  ],
  [
    "the documents that the target does not judge if nothing failed",
    [
      ["note", "conforms"],
      ["receipt", "skipped"],
      ["receipt", "skipped"],
    ],
    9,
    "3 of 9 messages were drawn: this target does not judge receipt, so few of them were: --document note draws as many of that one\n",
  ],
])("prints %s", (_, outcomes, requestedCount, message) => {
  expect(explainMissingDraws(reportOf(outcomes), requestedCount, 2)).toBe(message);
});

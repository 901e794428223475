import { expect, it } from "vitest";
import type { Report, Result } from "../../schemas/index.ts";
import { rowOf, tableOf } from "./row.ts";
import type { ScoredValidator } from "./validators.ts";

const report = (outcomes: Result["outcome"][], more: object = {}): Report =>
  ({
    complete: true,
    runs: [
      {
        results: outcomes.map((outcome, index) => ({
          id: `p/1/d/invalid/${index}`,
          verdict: "invalid",
          outcome,
          why: "no: end",
        })),
      },
    ],
    ...more,
  }) as unknown as Report;
const row = (name: string, validatorReport: Report) =>
  rowOf({ name, reads: "2020-12", claims: [] } satisfies ScoredValidator, "1.0", validatorReport, new Map());

it("counts verdicts only, at any level, and omits vectors without a verdict", () => {
  const everyOutcome = report([
    "conforms",
    "wrong-reason",
    "violates",
    "warns",
    "errored",
    "timed-out",
    "skipped",
    "disputed",
  ]);
  expect(row("a", everyOutcome).cells).toEqual([
    "a",
    "1.0",
    "2020-12",
    "2 of 6",
    2,
    2,
    "`schema` too lax (2); no (1); no end within 5 s (1)",
  ]);
});

it("reports why some vectors were not sent", () => {
  const late = report(["conforms"], { complete: false });
  expect(row("late", late).cells[6]).toBe("not all was asked: it ran out of time");
  const lost = { ...late, runs: late.runs.map((run) => ({ ...run, failure: { stage: "crash", message: "gone" } })) };
  expect(row("lost", lost).cells[6]).toBe("not all was asked: it broke down");
});

it("sorts the table by the number of failures", () => {
  const rows = [
    row("worst", report(["violates", "errored"])),
    row("b", report([])),
    row("a", report([])),
    row("bad", report(["errored"])),
  ];
  const names = tableOf(rows)
    .split("\n")
    .slice(2)
    .map((line) => line.split(" | ")[0]);
  expect(names).toEqual(["| a", "| b", "| bad", "| worst"]);
});

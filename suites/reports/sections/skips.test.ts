import { expect, it } from "vitest";
import { skipNeverAsked } from "../../base/text/skips.ts";
import { reportOf, result } from "../../results/sample.fixture.ts";
import { skippedLines } from "./skips.ts";

it("puts a reason into the singular or plural, as the number of vectors requires", () => {
  const skippedResult = (id: string, why: string) => result({ id, outcome: "skipped", why });
  const claim = "needs a target that claims semantic";
  const parent = "its valid parent is refused (note/valid/minimal), so a refusal shows nothing";
  const vectors = [
    skippedResult("a", claim),
    skippedResult("b", claim),
    skippedResult("c", parent),
    skippedResult("d", parent),
  ];
  const skipLines = (...results: typeof vectors) => skippedLines(reportOf(results).runs, new Map()).slice(1, -1);
  expect(skipLines(...vectors.slice(0, 1))).toEqual([`  1 vector: ${claim}`]);
  expect(skipLines(...vectors)).toEqual([
    "  2 vectors: need a target that claims semantic",
    "  2 vectors: their valid parent is refused (note/valid/minimal), so a refusal shows nothing",
  ]);
});

it("counts a scenario once for all its skipped rules, and never hides a single reason", () => {
  const skippedScenario = (rule: string) =>
    result({ id: `sample/1.0/scenarios/s/${rule}`, kind: "scenario", outcome: "skipped", why: 'needs the hook "x"' });
  const skipLines = (...results: ReturnType<typeof skippedScenario>[]) =>
    skippedLines(reportOf(results).runs, new Map()).slice(1, -1);
  expect(skipLines(skippedScenario("S-1"), skippedScenario("S-2"))).toEqual(['  1 scenario: needs the hook "x"']);
  const otherResults = Array.from({ length: 4 }, (_, index) =>
    result({ id: `v${index}`, outcome: "skipped", why: `so ${index}` }),
  );
  expect(skipLines(...otherResults).at(-1)).toBe("  1 vector: so 3");
  const fifthResult = result({ id: "v4", outcome: "skipped", why: "so 4" });
  expect(skipLines(...otherResults, fifthResult).slice(-2)).toEqual([
    "  1 vector: so 2",
    "  2 more reasons; --verbose names all",
  ]);
});

it("explains how to test vectors that are never sent to a server, if nothing else was selected", () => {
  const skip = skipNeverAsked("the implementation sends this document, it does not receive it", "emitted");
  const { runs } = reportOf([result({ id: "v", outcome: "skipped", ...skip })]);
  expect(skippedLines(runs, new Map())).toEqual([
    "Skipped",
    `  1 vector: ${skip.why}`,
    "  A server's own messages are tested by --module or --command, and in parts by --scenarios without --only: they may report it under another rule.",
    "",
  ]);
});

import { expect, it } from "vitest";
import { neverAsked } from "../../base/text/skips.ts";
import { reportOf, result } from "../../results/sample.fixture.ts";
import { skippedLines } from "./skips.ts";

it("conjugates a reason by the number of vectors", () => {
  const skipped = (id: string, why: string) => result({ id, outcome: "skipped", why });
  const claim = "needs a target that claims semantic";
  const parent = "its valid parent is refused (note/valid/minimal), so a refusal shows nothing";
  const vectors = [skipped("a", claim), skipped("b", claim), skipped("c", parent), skipped("d", parent)];
  const reported = (...some: typeof vectors) => skippedLines(reportOf(some).runs, new Map()).slice(1, -1);
  expect(reported(...vectors.slice(0, 1))).toEqual([`  1 vector: ${claim}`]);
  expect(reported(...vectors)).toEqual([
    "  2 vectors: need a target that claims semantic",
    "  2 vectors: their valid parent is refused (note/valid/minimal), so a refusal shows nothing",
  ]);
});

it("gives the needs of one scenario once, however many of its rules are skipped, and shows a single reason in full", () => {
  const of = (rule: string) =>
    result({ id: `sample/1.0/scenarios/s/${rule}`, kind: "scenario", outcome: "skipped", why: 'needs the hook "x"' });
  const reported = (...some: ReturnType<typeof of>[]) => skippedLines(reportOf(some).runs, new Map()).slice(1, -1);
  expect(reported(of("S-1"), of("S-2"))).toEqual(['  1 scenario: needs the hook "x"']);
  const others = Array.from({ length: 4 }, (_, index) =>
    result({ id: `v${index}`, outcome: "skipped", why: `so ${index}` }),
  );
  expect(reported(...others).at(-1)).toBe("  1 vector: so 3");
  const more = result({ id: "v4", outcome: "skipped", why: "so 4" });
  expect(reported(...others, more).slice(-2)).toEqual(["  1 vector: so 2", "  2 more reasons; --verbose names all"]);
});

it("names vectors that no server is ever sent, and how to test them, if nothing else was selected", () => {
  const skip = neverAsked("the implementation sends this document, it does not receive it", "emitted");
  const { runs } = reportOf([result({ id: "v", outcome: "skipped", ...skip })]);
  expect(skippedLines(runs, new Map())).toEqual([
    "Skipped",
    `  1 vector: ${skip.why}`,
    "  A server's own messages are tested by --module or --command, and in parts by --scenarios without --only: they may report it under another rule.",
    "",
  ]);
});

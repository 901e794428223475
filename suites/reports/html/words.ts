import { type Counts, type Outcome, outcomes, type Run } from "../../../schemas/index.ts";
import { countNoun } from "../wording/phrases.ts";
import type { Tone } from "./shape.ts";

/** The appearance of an outcome. The sign means the same as the colour. */
export const outcomeLooks: Record<Outcome, { tone: Tone; sign: string }> = {
  conforms: { tone: "good", sign: "✓" },
  violates: { tone: "bad", sign: "✕" },
  errored: { tone: "bad", sign: "⊘" },
  "timed-out": { tone: "bad", sign: "◷" },
  flaky: { tone: "bad", sign: "≈" },
  warns: { tone: "mid", sign: "△" },
  "wrong-reason": { tone: "mid", sign: "≠" },
  disputed: { tone: "soft", sign: "○" },
  skipped: { tone: "soft", sign: "–" },
};

/** The outcomes, the most serious first and harmless ones last. */
export const outcomesByGravity: readonly Outcome[] = [
  "violates",
  "errored",
  "timed-out",
  "flaky",
  "warns",
  "wrong-reason",
  "disputed",
  "skipped",
  "conforms",
];

/** The outcomes that fail a run by default. */
export const failingOutcomes: readonly Outcome[] = ["violates", "errored", "timed-out", "flaky"];
/** The outcomes that deserve attention, failing or not. */
export const concerningOutcomes: readonly Outcome[] = [...failingOutcomes, "warns", "wrong-reason"];

export function totalOf(counts: Counts): number {
  return outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** Describes the vectors that were run, and the filters. */
export function describeFilter({ filter, results, set, shard }: Run): string {
  const patterns = [
    ...filter.only.map((pattern) => `only ${pattern}`),
    ...filter.skip.map((pattern) => `without ${pattern}`),
    ...(shard === undefined ? [] : [`part ${shard.index} of ${shard.count}`]),
  ];
  const scenarioResults = results.filter(({ kind }) => kind !== "vector").length;
  const scenarios = scenarioResults === 0 ? [] : [`${countNoun(scenarioResults, "result")} of scenarios`];
  const vectors = results.filter(({ kind }) => kind === "vector");
  const skippedCount = vectors.filter(({ outcome }) => outcome === "skipped").length;
  const skippedPart = skippedCount === 0 ? [] : [`${skippedCount} skipped`];
  const ranPart = `${vectors.length - skippedCount} of the set's ${countNoun(set.count, "vector")}`;
  return [ranPart, ...skippedPart, ...scenarios, ...patterns].join(" · ");
}

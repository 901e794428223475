import { type Counts, type Outcome, outcomes, type Run } from "../../../schemas/index.ts";
import { against, some } from "../words.ts";
import type { Tone } from "./shape.ts";

/** How an outcome looks. The sign says without colour what the colour says. */
export const looks: Record<Outcome, { tone: Tone; sign: string }> = {
  conforms: { tone: "good", sign: "✓" },
  violates: { tone: "bad", sign: "✕" },
  errored: { tone: "bad", sign: "⊘" },
  "timed-out": { tone: "bad", sign: "◷" },
  warns: { tone: "mid", sign: "△" },
  "wrong-reason": { tone: "mid", sign: "≠" },
  disputed: { tone: "soft", sign: "○" },
  skipped: { tone: "soft", sign: "–" },
};

/** The gravest first, what needs no word last. */
export const byGravity: readonly Outcome[] = [
  "violates",
  "errored",
  "timed-out",
  "warns",
  "wrong-reason",
  "disputed",
  "skipped",
  "conforms",
];

/** Those that somebody should look into. */
export const failures: readonly Outcome[] = ["violates", "errored", "timed-out", "warns", "wrong-reason"];

export function total(counts: Counts): number {
  return outcomes.reduce((all, outcome) => all + counts[outcome], 0);
}

/** Runs of one protocol, one for each implementation. */
export interface Group {
  name: string;
  runs: Run[];
}

export function groupsByProtocol(runs: readonly Run[]): Group[] {
  const groups = new Map<string, Group>();
  for (const run of runs) {
    const name = `${run.protocol} ${run.version}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { name, runs: [run] });
    else group.runs.push(run);
  }
  return [...groups.values()];
}

/** The implementations by name; those that share one are numbered. */
export function names({ runs }: Group): string[] {
  const all = runs.map(against);
  return all.map((name, index) => {
    const before = all.slice(0, index).filter((each) => each === name).length;
    return before === 0 ? name : `${name}, ${before + 1}`;
  });
}

/** What was left out, in words. */
export function filterInWords({ filter, results, set, shard }: Run): string {
  const patterns = [
    ...filter.only.map((pattern) => `only ${pattern}`),
    ...filter.skip.map((pattern) => `without ${pattern}`),
    ...(shard === undefined ? [] : [`part ${shard.index} of ${shard.count}`]),
  ];
  const played = results.filter(({ kind }) => kind !== "vector").length;
  const scenarios = played === 0 ? [] : [`${some(played, "result")} of scenarios`];
  return [`${results.length - played} of the set's ${some(set.count, "vector")}`, ...scenarios, ...patterns].join(
    " · ",
  );
}

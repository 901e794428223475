import {
  type Cause,
  type Level,
  type Outcome,
  type Protocol,
  type Result,
  type Rule,
  type Scenario,
  type ScenarioFinding,
  TargetFailure,
  TargetSkip,
} from "../../../schemas/index.ts";
import type { Played } from "./playthrough.ts";

/** One rule of one scenario. */
export interface ExpectedResult {
  id: string;
  rule: string;
  scenario: Scenario;
}

/** Lists the possible results of scenarios: one for each rule of each scenario. */
export function expectedOf({ name, version }: Protocol, scenarios: readonly Scenario[]): ExpectedResult[] {
  return scenarios.flatMap((scenario) =>
    scenario.rules.map((rule) => ({ id: `${name}/${version}/scenarios/${scenario.name}/${rule}`, rule, scenario })),
  );
}

/** The outcomes, the most serious first. A scenario that was cut off does not conform, even after good findings. */
const outcomesByGravity: readonly Outcome[] = [
  "violates",
  "errored",
  "timed-out",
  "warns",
  "disputed",
  "skipped",
  "conforms",
];

/** Combines the findings for one rule of a scenario into a result. */
export function resultOf({ id, rule, scenario }: ExpectedResult, played: Played, protocol: Protocol): Result {
  const { findings, ended } = played;
  const knownRule = protocol.rules.find((candidate) => candidate.id === rule);
  const level = knownRule?.level ?? "MUST";
  const { kind = "scenario", says: description } = scenario;
  const base = { id, kind, document: "scenarios", description, verdict: "valid" as const, level, rule };
  const findingsOfRule = findings
    .filter((finding) => finding.rule === rule)
    .map((finding) => weighFinding(finding, knownRule));
  const endFindings = ended === undefined ? missingFinding(findingsOfRule) : findingOfEnd(played);
  const worst = [...findingsOfRule, ...endFindings].sort(
    (a, b) => outcomesByGravity.indexOf(a.outcome) - outcomesByGravity.indexOf(b.outcome),
  )[0];
  if (worst === undefined || worst.outcome === "conforms") return { ...base, outcome: "conforms" };
  const { outcome, why = "", cause, stage, exchanges, trace } = worst;
  return {
    ...base,
    outcome,
    why,
    cause: cause ?? usualCauses[outcome] ?? { kind: "no-usable-answer" },
    ...(stage === undefined ? {} : { stage }),
    ...(exchanges === undefined || exchanges.length === 0 || outcome === "skipped"
      ? {}
      : { exchanges: [...exchanges] }),
    ...(trace === undefined || outcome === "skipped" ? {} : { trace: [...trace] }),
  };
}

/** The default cause for each outcome of a scenario. */
const usualCauses: Partial<Record<Outcome, Cause>> = {
  violates: { kind: "expectation" },
  warns: { kind: "expectation" },
  disputed: { kind: "left-open", by: "readings" },
  skipped: { kind: "not-shown" },
  "timed-out": { kind: "timed-out" },
};

type WeighedFinding = Pick<Result, "outcome" | "why" | "cause" | "stage"> & {
  exchanges?: readonly NonNullable<Result["exchanges"]>[number][];
  trace?: readonly NonNullable<Result["trace"]>[number][];
};

const levelsByVerdict = { fail: "MUST", warn: "SHOULD", either: "NOTE" } as const;

/** Turns the breach of a rule below MUST into a warning, unless the rule has its own verdict or the scenario names a different level. */
export function weighFinding(finding: ScenarioFinding, rule: Rule | undefined): WeighedFinding {
  const { outcome, level, why, cause, exchanges, trace } = finding;
  const usualLevel: Level = rule?.verdict === undefined ? (rule?.level ?? "MUST") : levelsByVerdict[rule.verdict];
  const isGrave = (level ?? usualLevel) === "MUST";
  return {
    outcome: outcome === "violates" && !isGrave ? "warns" : outcome,
    ...(why === undefined ? {} : { why }),
    ...(cause === undefined ? {} : { cause }),
    ...(exchanges === undefined ? {} : { exchanges }),
    ...(trace === undefined ? {} : { trace }),
  };
}

function missingFinding(findings: readonly WeighedFinding[]): WeighedFinding[] {
  const why = "the scenario ended before it judged this rule";
  return findings.length > 0 ? [] : [{ outcome: "skipped", why, cause: { kind: "ended-early" } }];
}

function findingOfEnd({ ended, last }: Played): WeighedFinding[] {
  if (ended instanceof TargetSkip) {
    const { message: why, because: cause } = ended;
    // The remaining part might have shown a breach.
    return [{ outcome: "skipped", why, ...(cause === undefined ? {} : { cause }) }];
  }
  if (ended instanceof TargetFailure) {
    const { outcome, stage, message: why, because: cause } = ended;
    return [{ ...last, outcome, stage, why, cause }];
  }
  const why = ended instanceof Error ? ended.message || ended.name : String(ended);
  return [{ ...last, outcome: "errored", stage: "play", why }];
}

import { type Protocol, type Result, type Run, type Target, verdictOf } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { packOf, ruled } from "../../packs/pack/load.ts";
import { casesOf, type RunCase } from "../../running/run/case.ts";
import { verdictOn } from "../../running/run/verdict.ts";
import { boundsIn } from "../../running/scenarios/bounds.ts";
import { type ExpectedResult, expectedOf } from "../../running/scenarios/result.ts";

/** Describes a result that contradicts its published vector or scenario; undefined if none does. Each result must name an existing vector or scenario, repeat its published members, and have an outcome that its answer allows. The answer itself cannot be checked: it is the signer's claim. */
export async function findMisstatement(run: Run, protocol: Protocol): Promise<string | undefined> {
  const set = loadVectors(protocol);
  const cases = new Map(casesOf(protocol, set, run.readings).map((runCase) => [runCase.vector.id, runCase]));
  if (run.set.count !== cases.size) return `there are ${cases.size} vectors, not ${run.set.count}`;
  const bounds = run.bounds === undefined ? {} : await boundsIn(protocol);
  for (const [name, seconds] of Object.entries(run.bounds ?? {}))
    if (!Object.hasOwn(bounds, name)) return `unknown time limit "${name}" (${seconds} s)`;
  const scenarios = new Map(
    (await expectedResults(protocol)).map((expectedResult) => [expectedResult.id, expectedResult]),
  );
  for (const result of run.results) {
    const runCase = cases.get(result.id);
    const scenario = scenarios.get(result.id);
    const misstatement =
      runCase !== undefined
        ? (compareToVector(result, runCase) ?? compareToAnswer(result, runCase, run, protocol))
        : scenario !== undefined
          ? compareToScenario(result, scenario, protocol)
          : "no vector and no scenario has this id";
    if (misstatement !== undefined) return `${result.id}: ${misstatement}`;
  }
  return undefined;
}

async function expectedResults(protocol: Protocol): Promise<ExpectedResult[]> {
  const protocolWithRules = await ruled(protocol);
  const { scenarios } = await packOf(protocolWithRules);
  return scenarios === undefined ? [] : expectedOf(protocolWithRules, (await scenarios()).scenarios);
}

/** Compares the members that a run copies from the vector. If an answer broke a rule about answers, the result has the rule and level of that rule instead. */
function compareToVector(result: Result, { vector, document }: RunCase): string | undefined {
  const { description, rule, site, at, fault, level = "MUST" } = vector;
  return findDifference(result, {
    kind: "vector",
    document: document.name,
    description,
    verdict: verdictOf(vector),
    ...(result.cause?.kind === "answer-broken" ? {} : { level, rule, site, at, fault }),
  });
}

function compareToScenario(
  result: Result,
  { rule, scenario }: ExpectedResult,
  { rules }: Protocol,
): string | undefined {
  const level = rules.find(({ id }) => id === rule)?.level ?? "MUST";
  const { kind = "scenario", says: description } = scenario;
  return findDifference(result, { kind, document: "scenarios", description, verdict: "valid", level, rule });
}

function findDifference(result: Result, published: Partial<Result>): string | undefined {
  for (const [name, expected] of Object.entries(published)) {
    const actual = result[name as keyof Result];
    if (actual !== expected)
      return `its ${name} is ${JSON.stringify(actual) ?? "left out"}, not ${JSON.stringify(expected)}`;
  }
  return undefined;
}

/** Outcomes that need an answer or a disputed message. */
const decidedOutcomes = new Set<Result["outcome"]>(["conforms", "warns", "wrong-reason", "disputed"]);

function compareToAnswer(result: Result, runCase: RunCase, run: Run, protocol: Protocol): string | undefined {
  const { outcome, answer, level } = result;
  if (!decidedOutcomes.has(outcome)) return undefined;
  const verdict = verdictOf(runCase.vector);
  const impossible = `it cannot be "${outcome}"`;
  const isBroken = result.cause?.kind === "answer-broken";
  // A run may soften the outcome for reasons that are not in the report. It never turns an outcome into a violation.
  const isJudgeable = answer !== undefined && !(run.target.kind === "mcp" && verdict === "valid");
  if (isJudgeable) {
    const judgment = { protocol, kind: run.target.kind as Target["kind"], codes: undefined, readings: undefined };
    const recomputed = verdictOn({ of: runCase, observation: answer }, judgment, {});
    // The report does not contain the rule that an answer broke, nor all the error codes that the run knew. So these two outcomes cannot be recomputed.
    const isMisjudged =
      recomputed.outcome === "conforms" && outcome !== "wrong-reason" && outcome !== "conforms" && !isBroken;
    return recomputed.outcome === "violates" || isMisjudged
      ? `${impossible}: it was ${answer.verdict}, and is ${verdict}`
      : undefined;
  }
  if (outcome === "conforms") return verdict === "disputed" ? `${impossible}: it is disputed` : undefined;
  if (outcome === "wrong-reason") return `${impossible} without an answer`;
  if (outcome === "disputed" && verdict !== "disputed") return `${impossible} without an answer: it is ${verdict}`;
  return outcome === "warns" && level === "MUST" && !isBroken && answer === undefined
    ? `${impossible} without an answer: its level is MUST`
    : undefined;
}

import {
  type Level,
  levels,
  type Outcome,
  type Result,
  type ResultKind,
  type Rule,
  type Run,
} from "../../../schemas/index.ts";
import { programName } from "../../base/text/program.ts";
import { reasonWithoutBody } from "../../base/text/skips.ts";
import { attributeRefusals, namesVectorLocation } from "../../results/attribution.ts";
import { plainestFirst } from "../../results/example-order.ts";
import { demandOf } from "../wording/demand.ts";
import { kindsOf, numberOf } from "../wording/nouns.ts";

/** Explains disputed results, and how many of them each reading would decide. Empty if no result is disputed. */
export function disputedNote(runs: readonly Run[]): string[] {
  if (runs.every(({ counts }) => counts.disputed === 0)) return [];
  const counts = new Map<string, number>();
  for (const name of runs.flatMap(({ results }) => results.flatMap(({ decidedBy = [] }) => decidedBy)))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const mostFrequent = [...counts].sort(([, firstCount], [, secondCount]) => secondCount - firstCount);
  const shownReadings = mostFrequent
    .slice(0, maxReadings)
    .map(([name, count], index) => `--reading ${name} ${index === 0 ? `decides ${count} of them` : count}`);
  const moreHint = mostFrequent.length > shownReadings.length ? `; ${programName()} list readings has more` : "";
  const decidedPart = shownReadings.length === 0 ? "" : ` ${shownReadings.join(", ")}${moreHint}.`;
  return [
    `Disputed: validators or readings of the specification differ, so either answer is fine and no implementation fails.${decidedPart}`,
  ];
}

/** The maximum number of readings that the note names. */
const maxReadings = 4;

/** The outcomes that a report explains one by one, the most serious first. */
export const explainedOutcomes: readonly Outcome[] = [
  "violates",
  "errored",
  "timed-out",
  "flaky",
  "warns",
  "wrong-reason",
  "disputed",
];

export const outcomeHeadings: Record<Outcome, string> = {
  violates: "Violations",
  errored: "No usable answer",
  "timed-out": "No answer in time",
  flaky: "Flaky: answers differ between tries",
  warns: "Warnings: they fail the run only with --fail-on",
  "wrong-reason": "Refused, but for another cause",
  disputed: "Disputed: validators or readings of the specification differ, so no implementation fails",
  skipped: "Skipped",
  conforms: "Conforms",
};

/** Results with one outcome and one cause: the rule or the assertion; for a missing answer the stage; for a skipped result the reason. */
export interface ResultGroup {
  name: string;
  rule?: Rule;
  /** The assertion, if there is no rule. */
  site?: string;
  results: Result[];
  /** For a rule, the number of its vectors and scenarios that were run, with any outcome. For other causes, the number in the whole run; for skipped results, the number of all vectors. */
  of: number;
  /** The kinds of these results. */
  kinds: readonly ResultKind[];
}

/** The groups in the order of their first occurrence, each with its plainest result first. */
export function groupsOf(run: Run, outcome: Outcome, rules: ReadonlyMap<string, Rule>): ResultGroup[] {
  const groups = new Map<string, ResultGroup>();
  const results = attributeRefusals(run);
  if (!results.some((result) => result.outcome === outcome)) return [];
  const relevantResults = outcome === "skipped" ? results : results.filter((result) => result.outcome !== "skipped");
  const [total, kinds] = [numberOf(relevantResults), kindsOf(relevantResults)];
  for (const result of results) {
    if (result.outcome !== outcome) continue;
    const name = causeOf(result);
    let group = groups.get(name);
    if (group === undefined) {
      const rule = name === result.rule ? rules.get(name) : undefined;
      group = {
        name,
        ...(rule === undefined ? {} : { rule }),
        ...(result.rule !== undefined || result.site === undefined || name !== demandOf(result)
          ? {}
          : { site: result.site }),
        results: [],
        of: total,
        kinds,
      };
      groups.set(name, group);
    }
    group.results.push(result);
  }
  const askedGroups = groupByDemand(relevantResults.filter((result) => result.outcome !== "skipped"));
  for (const group of groups.values()) {
    if (outcome !== "skipped")
      group.results = plainestFirst(group.results).sort(
        (first, second) => Number(namesVectorLocation(second)) - Number(namesVectorLocation(first)),
      );
    const [first] = group.results;
    const demandGroup = first !== undefined && demandOf(first) === group.name ? askedGroups.get(group.name) : undefined;
    if (demandGroup !== undefined) Object.assign(group, { of: demandGroup.length, kinds: kindsOf(demandGroup) });
  }
  return [...groups.values()];
}

/** The level of a group's rule and, if it differs, the highest level at which its results count. */
export function weightOf({ rule, results }: ResultGroup): string {
  if (rule === undefined) return "";
  // A failure without a level counts as a MUST.
  const hasViolation = results.some(({ outcome }) => outcome === "violates");
  const countedLevel = hasViolation
    ? "MUST"
    : levels.find((candidate) => results.some(({ level }) => level === candidate));
  if (countedLevel === undefined || countedLevel === rule.level) return rule.level;
  const decisiveResults = hasViolation
    ? results.filter(({ outcome }) => outcome === "violates")
    : results.filter(({ level }) => level === countedLevel);
  const isStricter = levels.indexOf(countedLevel) < levels.indexOf(rule.level);
  return `${rule.level}, counted as ${countedLevel} (${describeDecision(rule) ?? explainCounting(decisiveResults, isStricter)})`;
}

/** Says that the pack sets the verdict of a rule, and where to find the reason. */
function describeDecision({ id, verdict, position }: Rule): string | undefined {
  if (verdict === undefined) return undefined;
  return position === undefined ? `the pack's verdict is ${verdict}` : `explain ${id} says why`;
}

/** Explains why results count at a level other than that of their rule. */
function explainCounting(results: readonly Result[], isStricter: boolean): string {
  if (isStricter && results.every(({ verdict }) => verdict === "valid"))
    return "refusing a message that keeps the rule is a fault";
  if (results.every(({ site = "" }) => site.endsWith("/format"))) return "formats need not be checked";
  return "the protocol does not settle these cases";
}

/** The key of a result's group: see `ResultGroup`. */
export function causeOf(result: Result): string {
  if (result.outcome === "errored" || result.outcome === "timed-out")
    return `${outcomeHeadings[result.outcome]} (stage ${result.stage ?? "unknown"})`;
  if (result.outcome === "skipped") return reasonWithoutBody(result) ?? "for no stated reason";
  return demandOf(result);
}

export function indexById(rules: readonly Rule[]): Map<string, Rule> {
  return new Map(rules.map((rule) => [rule.id, rule]));
}

/** The results per document, in the order of their first occurrence. */
export function groupByDocument(run: Run): [name: string, results: Result[]][] {
  const documents = new Map<string, Result[]>();
  for (const result of run.results) {
    const group = documents.get(result.document);
    if (group === undefined) documents.set(result.document, [result]);
    else group.push(result);
  }
  return [...documents];
}

/** The results per level, the strictest first, without unused levels. */
export function groupByLevel(run: Run): [level: Level, results: Result[]][] {
  return levels
    .map((level): [Level, Result[]] => [level, run.results.filter((result) => result.level === level)])
    .filter(([, results]) => results.length > 0);
}

function groupByDemand(results: readonly Result[]): Map<string, Result[]> {
  const demands = new Map<string, Result[]>();
  for (const result of results) {
    const demand = demandOf(result);
    const group = demands.get(demand);
    if (group === undefined) demands.set(demand, [result]);
    else group.push(result);
  }
  return demands;
}

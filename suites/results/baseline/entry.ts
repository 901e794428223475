import {
  type BaselineEntry,
  type BaselineFinding,
  type BaselineFindingKind,
  type FailOn,
  nearestName,
  type Outcome,
  type Result,
  shortAssertion,
} from "../../../schemas/index.ts";
import { failsRun } from "../exit.ts";
import { kindOf } from "../kind.ts";
import { demandsOf, isExpired, type NamesOf, nameOf } from "./known-results.ts";

/** The facts that the entries of a baseline are compared with. */
export interface BaselineContext {
  entries: readonly BaselineEntry[];
  /** The names of assertions. */
  names: NamesOf;
  results: readonly Result[];
  failOn: FailOn;
  today: string;
  /** Whether the run was complete, without any filter. */
  isWhole: boolean;
  /** `NAME/VERSION/` of the protocols that were run, and of all known protocols. */
  protocols: readonly string[];
  allProtocols: readonly string[];
  /** The rules of the protocols that were run. */
  rules: readonly string[];
  /** The rules that every answer was checked against. They have results only for violations. */
  rulesOfAnswers: readonly string[];
  /** Whether a vector existed when the baseline was written; undefined if that is unknown. */
  existedBefore: (id: string) => boolean | undefined;
  /** Whether the baseline was reviewed with a different vector set for the protocol of this id. */
  isOtherSet: (id: string) => boolean;
  /** The number of results that judged a rule when the baseline was written, if known. */
  judgedBefore: (rule: string) => number | undefined;
  /** Whether a different protocol has the rule. */
  isOtherRule: (id: string) => boolean;
}

type FindingText = readonly [kind: BaselineFindingKind, what: string] | undefined;

/** Returns the finding on each entry of a baseline, in the order of the entries. A partial run has no findings on entries outside its part. */
export function findingsOn(context: BaselineContext): (BaselineFinding | undefined)[] {
  const byId = new Map(context.results.map((result) => [result.id, result]));
  const byRule = new Map<string, Result[]>();
  for (const result of context.results)
    for (const demand of demandsOf(result, context.names)) byRule.set(demand, [...(byRule.get(demand) ?? []), result]);
  const isKnownName = (name: string): boolean => byId.has(name) || byRule.has(name);
  const owners = ownersOf(context, byId);
  return context.entries.map((entry, index) => {
    const name = nameOf(entry);
    const owner = owners.get(name) ?? index;
    const isTested = context.isWhole || isKnownName(name);
    const finding =
      (owner === index ? undefined : describeDuplicate(entry, context.entries[owner] as BaselineEntry, owner)) ??
      (isTested && isExpired(entry, context.today) ? expiryFinding(entry, byId.get(name)) : undefined) ??
      (entry.id === undefined
        ? ruleFinding(context, entry, byRule.get(name) ?? [])
        : vectorFinding(context, entry, byId.get(name)));
    const explanation = finding ?? (isTested ? describeExpiry(entry, context.today) : undefined);
    return explanation === undefined ? undefined : { kind: explanation[0], name, what: explanation[1] };
  });
}

/** Returns the index of the entry that counts for each name: the first that fits the result and has not expired, or otherwise the first. */
function ownersOf(
  { entries, today }: BaselineContext,
  byId: ReadonlyMap<string, Pick<Result, "outcome">>,
): Map<string, number> {
  const owners = new Map<string, number>();
  const fitsResult = (entry: BaselineEntry): boolean =>
    !isExpired(entry, today) && byId.get(nameOf(entry))?.outcome === entry.outcome;
  for (const [index, entry] of entries.entries()) {
    const current = owners.get(nameOf(entry));
    if (current === undefined || (fitsResult(entry) && !fitsResult(entries[current] as BaselineEntry)))
      owners.set(nameOf(entry), index);
  }
  return owners;
}

/** The members that may differ between two entries with the same name. */
const comparedMembers = ["outcome", "reason", "owner", "expires", "flaky"] as const;

function describeDuplicate(entry: BaselineEntry, other: BaselineEntry, index: number): FindingText {
  const differingMembers = comparedMembers.filter((name) => entry[name] !== other[name]);
  const differences = differingMembers.map(
    (name) => `${name} ${JSON.stringify(other[name] ?? null)}, not ${JSON.stringify(entry[name] ?? null)}`,
  );
  const differenceText = differences.length === 0 ? "" : `, with the ${differences.join(", the ")}`;
  return ["duplicate", `entry ${index + 1} of the list has the same name${differenceText}; an update keeps that entry`];
}

function expiryFinding({ expires }: BaselineEntry, result: Result | undefined): FindingText {
  const currentState =
    result === undefined || result.outcome === "skipped" ? "" : `; now it ${outcomePredicates[result.outcome]}`;
  return ["expired", `it was valid until ${expires}${currentState}`];
}

/** How many days before its expiry an entry begins to cause a warning. */
const noticeDays = 14;

function describeExpiry({ expires, owner }: BaselineEntry, today: string): FindingText {
  if (expires === undefined) return undefined;
  const days = Math.round((Date.parse(expires) - Date.parse(today)) / 86_400_000);
  if (days < 0 || days > noticeDays) return undefined;
  const timeLeft = days === 0 ? "today is its last day" : `it expires in ${days} ${days === 1 ? "day" : "days"}`;
  return ["expiring", `${timeLeft}, on ${expires}${owner === undefined ? "" : `; its owner is ${owner}`}`];
}

function vectorFinding(context: BaselineContext, entry: BaselineEntry, result: Result | undefined): FindingText {
  const { id = "", outcome, flaky } = entry;
  if (result === undefined) return describeAbsence(context, id);
  const demands = demandsOf(result, context.names);
  const coveringEntry = context.entries.find(
    (other) => other.id === undefined && demands.includes(nameOf(other)) && other.outcome === outcome,
  );
  if (coveringEntry !== undefined)
    return [
      "duplicate",
      `the entry of its ${result.rule === undefined ? "assertion" : "rule"} ${nameOf(coveringEntry)} covers it`,
    ];
  if (result.outcome === "skipped") {
    const why = result.why === undefined ? "" : `: ${result.why.split("\n")[0]}`;
    return context.isWhole ? ["unexercised", `it was skipped${why}`] : undefined;
  }
  if (result.outcome === outcome) return undefined;
  const change = `the list says that it ${outcomePredicates[outcome]}; now it ${outcomePredicates[result.outcome]}`;
  if (failsRun(result, context.failOn))
    return ["changed", `${change}${result.why === undefined ? "" : `: ${result.why}`}`];
  return flaky === true ? undefined : ["stale", change];
}

function describeAbsence(context: BaselineContext, id: string): FindingText {
  const { protocols, allProtocols, results, isWhole, existedBefore, isOtherSet } = context;
  const within = (prefix: string): boolean => id.startsWith(prefix);
  if (!protocols.some(within))
    return allProtocols.some(within)
      ? undefined
      : ["unknown", `there is no such protocol; there are ${allProtocols.join(", ")}`];
  if (!isWhole) return undefined;
  const isVector = kindOf(id) === "vector";
  const sameKindResults = results.filter((result) => (result.kind === "vector") === isVector);
  // A run without scenarios does not show anything about them.
  if (sameKindResults.length === 0) return ["unexercised", `no ${isVector ? "vector was run" : "scenario was played"}`];
  if (isVector && isOtherSet(id) && existedBefore(id) !== false)
    return ["removed", "it is no longer in the vector set"];
  return [
    "unknown",
    `${nearestName(
      id,
      sameKindResults.map((result) => result.id),
    )}no vector has this id`,
  ];
}

function ruleFinding(context: BaselineContext, entry: BaselineEntry, results: readonly Result[]): FindingText {
  const { rule, outcome, flaky } = entry;
  const { rules, rulesOfAnswers, isOtherRule, isWhole } = context;
  if (rule === undefined && results.length === 0)
    return isWhole ? ["unknown", describeMissingAssertion(context, entry)] : undefined;
  if (rule !== undefined && results.length === 0 && !rules.includes(rule))
    return isOtherRule(rule) ? undefined : ["unknown", `${nearestName(rule, rules)}there is no such rule`];
  if (!isWhole || flaky === true) return undefined;
  if (results.length === 0)
    return rule !== undefined && rulesOfAnswers.includes(rule)
      ? ["stale", "no answer violates it"]
      : ["unknown", "no vector tests this rule"];
  if (results.some((result) => result.outcome === outcome)) return undefined;
  const judged = results.filter((result) => result.outcome !== "skipped");
  if (judged.length === 0) return ["unexercised", "all its vectors were skipped"];
  // The failing vector may be one without a usable answer, or a skipped vector that was judged before.
  const judgesFewer = rule !== undefined && judged.length < (context.judgedBefore(rule) ?? 0);
  if (judgesFewer || judged.some(isUnanswered))
    return [
      "unexercised",
      "none of its vectors fails, but some got no usable answer, or were judged before and are skipped now",
    ];
  return ["stale", `none of its vectors ${negatablePredicates[outcome]}`];
}

/** Explains why there is no result for the assertion of an entry. */
function describeMissingAssertion({ results, names }: BaselineContext, { site: name = "" }: BaselineEntry): string {
  const resultOfAssertion = results.find(({ site }) => site !== undefined && names(site).includes(name));
  if (resultOfAssertion?.rule !== undefined) return `its vectors are of the rule ${resultOfAssertion.rule}: name that`;
  const sites = results.flatMap(({ rule, site }) => (rule !== undefined || site === undefined ? [] : site));
  const nearestHint = nearestName(name, [...new Set(sites.flatMap((site) => [shortAssertion(site), site]))]);
  return `${nearestHint}no vector tests this assertion`;
}

/** Whether a result does not show how the target behaves on its vector. */
export function isUnanswered({ outcome }: Pick<Result, "outcome">): boolean {
  return outcome === "errored" || outcome === "timed-out" || outcome === "skipped" || outcome === "flaky";
}

/** The predicate for each outcome of a vector. */
const outcomePredicates: Record<Outcome, string> = {
  conforms: "conforms",
  violates: "is violated",
  warns: "is warned of",
  "wrong-reason": "is refused for another cause",
  disputed: "is disputed",
  skipped: "is skipped",
  errored: "gets no usable answer",
  "timed-out": "gets no answer in time",
  flaky: "is flaky",
};

const negatablePredicates: Record<BaselineEntry["outcome"], string> = {
  violates: "is violated",
  warns: "is warned of",
  "wrong-reason": "is refused for another cause",
  errored: "errs",
  "timed-out": "times out",
};

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

/** The facts to compare entries with. */
export interface BaselineContext {
  entries: readonly BaselineEntry[];
  /** The names of assertions. */
  names: NamesOf;
  results: readonly Result[];
  failOn: FailOn;
  today: string;
  /** Whether nothing was left out of the run. */
  isWhole: boolean;
  /** `NAME/VERSION/` of the protocols that were run, and of all known protocols. */
  protocols: readonly string[];
  others: readonly string[];
  /** The rules of the protocols that were run. */
  rules: readonly string[];
  /** The rules that all answers were checked against, with a result only for violations. */
  answered: readonly string[];
  /** Whether a vector existed when the list was written; undefined if that is unknown. */
  wasThere: (id: string) => boolean | undefined;
  /** Whether the list was reviewed with a set that does not have the id. */
  isOtherSet: (id: string) => boolean;
  /** How many results of a rule were judged when the list was written, if known. */
  judgedBefore: (rule: string) => number | undefined;
  /** Whether another protocol has the rule. */
  otherRule: (id: string) => boolean;
}

type Word = readonly [kind: BaselineFindingKind, what: string] | undefined;

/** The fault of each entry of a list, in the order of the entries. A partial run says nothing about entries outside its part. */
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
    const word =
      (owner === index ? undefined : describeDuplicate(entry, context.entries[owner] as BaselineEntry, owner)) ??
      (isExpired(entry, context.today) && (context.isWhole || isKnownName(name))
        ? expiryFinding(entry, byId.get(name))
        : undefined) ??
      (entry.id === undefined
        ? ofRule(context, entry, byRule.get(name) ?? [])
        : ofVector(context, entry, byId.get(name)));
    const explanation =
      word ?? (context.isWhole || isKnownName(name) ? describeExpiry(entry, context.today) : undefined);
    return explanation === undefined ? undefined : { kind: explanation[0], name, what: explanation[1] };
  });
}

/** The decisive entry among entries with one name: the first that fits the result and has not expired, otherwise the first. */
function ownersOf(
  { entries, today }: BaselineContext,
  byId: ReadonlyMap<string, Pick<Result, "outcome">>,
): Map<string, number> {
  const owners = new Map<string, number>();
  const fits = (entry: BaselineEntry): boolean =>
    !isExpired(entry, today) && byId.get(nameOf(entry))?.outcome === entry.outcome;
  for (const [index, entry] of entries.entries()) {
    const before = owners.get(nameOf(entry));
    if (before === undefined || (fits(entry) && !fits(entries[before] as BaselineEntry)))
      owners.set(nameOf(entry), index);
  }
  return owners;
}

/** The members that may differ between two entries with one name. */
const differing = ["outcome", "reason", "owner", "expires", "flaky"] as const;

function describeDuplicate(entry: BaselineEntry, other: BaselineEntry, index: number): Word {
  const differs = differing.filter((name) => entry[name] !== other[name]);
  const differences = differs.map(
    (name) => `${name} ${JSON.stringify(other[name] ?? null)}, not ${JSON.stringify(entry[name] ?? null)}`,
  );
  const differenceText = differences.length === 0 ? "" : `, with the ${differences.join(", the ")}`;
  return ["duplicate", `entry ${index + 1} of the list has the same name${differenceText}; an update keeps that one`];
}

function expiryFinding({ expires }: BaselineEntry, result: Result | undefined): Word {
  const now = result === undefined || result.outcome === "skipped" ? "" : `; now it ${does[result.outcome]}`;
  return ["expired", `it held until ${expires}${now}`];
}

/** An entry that expires within this number of days gets a warning. */
const noticeDays = 14;

function describeExpiry({ expires, owner }: BaselineEntry, today: string): Word {
  if (expires === undefined) return undefined;
  const days = Math.round((Date.parse(expires) - Date.parse(today)) / 86_400_000);
  if (days < 0 || days > noticeDays) return undefined;
  const last = days === 0 ? "today is its last day" : `it expires in ${days} ${days === 1 ? "day" : "days"}`;
  return ["expiring", `${last}, on ${expires}${owner === undefined ? "" : `; its owner is ${owner}`}`];
}

function ofVector(context: BaselineContext, entry: BaselineEntry, result: Result | undefined): Word {
  const { id = "", outcome, flaky } = entry;
  if (result === undefined) return describeAbsence(context, id);
  const demands = demandsOf(result, context.names);
  const wholeEntry = context.entries.find(
    (other) => other.id === undefined && demands.includes(nameOf(other)) && other.outcome === outcome,
  );
  if (wholeEntry !== undefined)
    return [
      "duplicate",
      `the entry of its ${result.rule === undefined ? "assertion" : "rule"} ${nameOf(wholeEntry)} covers it`,
    ];
  if (result.outcome === "skipped") {
    const why = result.why === undefined ? "" : `: ${result.why.split("\n")[0]}`;
    return context.isWhole ? ["unexercised", `it was skipped${why}`] : undefined;
  }
  if (result.outcome === outcome) return undefined;
  const now = `the list says that it ${does[outcome]}; now it ${does[result.outcome]}`;
  if (failsRun(result, context.failOn))
    return ["changed", `${now}${result.why === undefined ? "" : `: ${result.why}`}`];
  return flaky === true ? undefined : ["stale", now];
}

function describeAbsence(context: BaselineContext, id: string): Word {
  const { protocols, others, results, isWhole, wasThere, isOtherSet } = context;
  const within = (prefix: string): boolean => id.startsWith(prefix);
  if (!protocols.some(within))
    return others.some(within) ? undefined : ["unknown", `there is no such protocol; there are ${others.join(", ")}`];
  if (!isWhole) return undefined;
  const isVector = kindOf(id) === "vector";
  const sameKind = results.filter((result) => (result.kind === "vector") === isVector);
  // A run without scenarios says nothing about them.
  if (sameKind.length === 0) return ["unexercised", `no ${isVector ? "vector was run" : "scenario was played"}`];
  if (isVector && isOtherSet(id) && wasThere(id) !== false)
    return ["removed", "the vectors that were run no longer have it"];
  return [
    "unknown",
    `${nearestName(
      id,
      sameKind.map((result) => result.id),
    )}no vector has this id`,
  ];
}

function ofRule(context: BaselineContext, entry: BaselineEntry, results: readonly Result[]): Word {
  const { rule, outcome, flaky } = entry;
  const { rules, answered, otherRule, isWhole } = context;
  if (rule === undefined && results.length === 0) return isWhole ? ["unknown", notThere(context, entry)] : undefined;
  if (rule !== undefined && results.length === 0 && !rules.includes(rule))
    return otherRule(rule) ? undefined : ["unknown", `${nearestName(rule, rules)}there is no such rule`];
  if (!isWhole || flaky === true) return undefined;
  if (results.length === 0)
    return rule !== undefined && answered.includes(rule)
      ? ["stale", "no answer violates it"]
      : ["unknown", "no vector bears on this rule"];
  if (results.some((result) => result.outcome === outcome)) return undefined;
  const judged = results.filter((result) => result.outcome !== "skipped");
  if (judged.length === 0) return ["unexercised", "all its vectors were skipped"];
  // A vector without a usable answer, or a skipped vector that was judged before, may be the failing one.
  const isLess = rule !== undefined && judged.length < (context.judgedBefore(rule) ?? 0);
  if (isLess || judged.some(isUnanswered))
    return [
      "unexercised",
      "nothing of it fails, and a part of it got no usable answer, or was judged before and is skipped",
    ];
  return ["stale", `no vector of it ${verbs[outcome]}`];
}

/** The reason for having no result for an assertion that an entry names. */
function notThere({ results, names }: BaselineContext, { site: name = "" }: BaselineEntry): string {
  const bearing = results.find(({ site }) => site !== undefined && names(site).includes(name));
  if (bearing?.rule !== undefined) return `its vectors are of the rule ${bearing.rule}: name that`;
  const sites = results.flatMap(({ rule, site }) => (rule !== undefined || site === undefined ? [] : site));
  const nearestHint = nearestName(name, [...new Set(sites.flatMap((site) => [shortAssertion(site), site]))]);
  return `${nearestHint}no vector bears on this assertion`;
}

/** Whether a result does not show how the target behaves on its vector. */
export function isUnanswered({ outcome }: Pick<Result, "outcome">): boolean {
  return outcome === "errored" || outcome === "timed-out" || outcome === "skipped" || outcome === "flaky";
}

/** The verb for each outcome of a vector. */
const does: Record<Outcome, string> = {
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

const verbs: Record<BaselineEntry["outcome"], string> = {
  violates: "is violated",
  warns: "is warned of",
  "wrong-reason": "is refused for another cause",
  errored: "errs",
  "timed-out": "times out",
};

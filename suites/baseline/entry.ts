import {
  type BaselineEntry,
  type BaselineFinding,
  type BaselineFindingKind,
  closest,
  type FailOn,
  type Outcome,
  type Result,
  shortAssertion,
} from "../../schemas/index.ts";
import { fails } from "../results/exit.ts";
import { kindOf } from "../results/kind.ts";
import { demandsOf, isExpired, type NamesOf, nameOf } from "./know.ts";

/** What the entries of a list are held against. */
export interface BaselineContext {
  entries: readonly BaselineEntry[];
  /** What these call assertions. */
  names: NamesOf;
  results: readonly Result[];
  failOn: FailOn;
  today: string;
  /** Nothing was left out of the run. */
  isWhole: boolean;
  /** `NAME/VERSION/` of the protocols that were run, and of all that there are. */
  protocols: readonly string[];
  others: readonly string[];
  /** Rules of the protocols that were run. */
  rules: readonly string[];
  /** Those of them that all answers were held against, and that have a result where they were violated alone. */
  answered: readonly string[];
  /** Whether another protocol has the rule. */
  otherRule: (id: string) => boolean;
}

type Word = readonly [kind: BaselineFindingKind, what: string] | undefined;

/** What is wrong with each entry of a list, in their order. A part of a run says nothing of entries that lie outside of it. */
export function findingsOn(context: BaselineContext): (BaselineFinding | undefined)[] {
  const byId = new Map(context.results.map((result) => [result.id, result]));
  const byRule = new Map<string, Result[]>();
  for (const result of context.results)
    for (const demand of demandsOf(result, context.names)) byRule.set(demand, [...(byRule.get(demand) ?? []), result]);
  const bears = (name: string): boolean => byId.has(name) || byRule.has(name);
  const seen = new Set<string>();
  return context.entries.map((entry) => {
    const name = nameOf(entry);
    const first = !seen.has(name);
    seen.add(name);
    const word =
      (first ? undefined : (["duplicate", "an entry before it has the same name"] as const)) ??
      (isExpired(entry, context.today) && (context.isWhole || bears(name))
        ? expired(entry, byId.get(name))
        : undefined) ??
      (entry.id === undefined
        ? ofRule(context, entry, byRule.get(name) ?? [])
        : ofVector(context, entry, byId.get(name)));
    return word === undefined ? undefined : { kind: word[0], name, what: word[1] };
  });
}

function expired({ expires }: BaselineEntry, result: Result | undefined): Word {
  const now = result === undefined || result.outcome === "skipped" ? "" : `; now it ${does[result.outcome]}`;
  return ["expired", `it held until ${expires}${now}`];
}

function ofVector(context: BaselineContext, entry: BaselineEntry, result: Result | undefined): Word {
  const { id = "", outcome, flaky } = entry;
  if (result === undefined) return absent(context, id);
  const demands = demandsOf(result, context.names);
  const whole = context.entries.find(
    (other) => other.id === undefined && demands.includes(nameOf(other)) && other.outcome === outcome,
  );
  if (whole !== undefined)
    return [
      "duplicate",
      `the entry of its ${result.rule === undefined ? "assertion" : "rule"} ${nameOf(whole)} covers it`,
    ];
  if (result.outcome === outcome || result.outcome === "skipped") return undefined;
  const now = `the list says that it ${does[outcome]}; now it ${does[result.outcome]}`;
  if (fails(result, context.failOn)) return ["changed", `${now}${result.why === undefined ? "" : `: ${result.why}`}`];
  return flaky === true ? undefined : ["stale", now];
}

function absent({ protocols, others, results, isWhole }: BaselineContext, id: string): Word {
  const within = (prefix: string): boolean => id.startsWith(prefix);
  if (!protocols.some(within))
    return others.some(within) ? undefined : ["unknown", `there is no such protocol; there are ${others.join(", ")}`];
  // Without scenarios in the run nothing is known of them.
  const isVector = kindOf(id) === "vector";
  const alike = results.filter((result) => (result.kind === "vector") === isVector);
  if (!isWhole || alike.length === 0) return undefined;
  return [
    "unknown",
    `${closest(
      id,
      alike.map((result) => result.id),
    )}no vector has this id`,
  ];
}

function ofRule(context: BaselineContext, entry: BaselineEntry, results: readonly Result[]): Word {
  const { rule, outcome, flaky } = entry;
  const { rules, answered, otherRule, isWhole } = context;
  if (rule === undefined && results.length === 0) return isWhole ? ["unknown", notThere(context, entry)] : undefined;
  if (rule !== undefined && results.length === 0 && !rules.includes(rule))
    return otherRule(rule) ? undefined : ["unknown", `${closest(rule, rules)}there is no such rule`];
  if (!isWhole || flaky === true) return undefined;
  if (results.length === 0)
    return rule !== undefined && answered.includes(rule)
      ? ["stale", "no answer violates it"]
      : ["unknown", "no vector bears on this rule"];
  if (results.some((result) => result.outcome === outcome)) return undefined;
  return results.every((result) => result.outcome === "skipped")
    ? undefined
    : ["stale", `no vector of it ${verbs[outcome]}`];
}

/** Why no result is of an assertion that an entry names. */
function notThere({ results, names }: BaselineContext, { site: name = "" }: BaselineEntry): string {
  const bearing = results.find(({ site }) => site !== undefined && names(site).includes(name));
  if (bearing?.rule !== undefined) return `its vectors are of the rule ${bearing.rule}: name that`;
  const sites = results.flatMap(({ rule, site }) => (rule !== undefined || site === undefined ? [] : site));
  const meant = closest(name, [...new Set(sites.flatMap((site) => [shortAssertion(site), site]))]);
  return `${meant}no vector bears on this assertion`;
}

/** What a vector does that has an outcome. */
const does: Record<Outcome, string> = {
  conforms: "conforms",
  violates: "is violated",
  warns: "is warned of",
  "wrong-reason": "is refused for another cause",
  disputed: "is disputed",
  skipped: "is skipped",
  errored: "gets no usable answer",
  "timed-out": "gets no answer in time",
};

const verbs: Record<BaselineEntry["outcome"], string> = {
  violates: "is violated",
  warns: "is warned of",
  "wrong-reason": "is refused for another cause",
  errored: "errs",
  "timed-out": "times out",
};

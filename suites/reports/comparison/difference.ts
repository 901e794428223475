import type { Rule } from "../../../schemas/index.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { indexById } from "../groups/group.ts";
import { demandOf } from "../wording/demand.ts";
import { countInWords, describeNone, kindsOf, numberOf, numberOfResults } from "../wording/nouns.ts";
import { countNoun } from "../wording/phrases.ts";
import type { ReportDifference, ReportPair } from "./comparison.ts";

/** The maximum number of rules in a section, and of vectors for each rule. */
const limits = { rules: 10, vectors: 2 };

/** Describes a difference: the conclusion, the new and the fixed failures by rule, and the numbers of other changes. */
export function describeDifference(difference: ReportDifference, rules: readonly Rule[]): string {
  const rulesById = indexById(rules);
  const { failing, listed, lost, fixed, still, changed, added, removed, gone, unseen, sets, complete } = difference;
  const listPairs = (pairs: readonly ReportPair[]): string[] => formatByRule(pairs, rulesById);
  const sections: [string, readonly ReportPair[], (pairs: readonly ReportPair[]) => string[]][] = [
    ["fail now and did not before", failing, listPairs],
    ["are newly listed in the baseline", listed, listPairs],
    ["are skipped now and were not before", lost, listPairs],
    ["are not shown", unseen, (pairs) => tallyBy(pairs, ({ why = "" }) => why)],
    ["no longer fail", fixed, listPairs],
    ["still fail", still, listPairs],
    ["changed otherwise", changed, listPairs],
    ["are new", added, (pairs) => tallyBy(pairs, ({ document }) => document)],
    ["are gone, and nothing else judges their rule or scenario", gone, listPairs],
    ["are gone", removed.filter((pair) => !gone.includes(pair)), (pairs) => tallyBy(pairs, ({ document }) => document)],
  ];
  const lines = sections
    .filter(([, pairs]) => pairs.length > 0)
    .flatMap(([title, pairs, formatPairs]) => ["", `${numberOfResults(pairs)} ${title}`, ...formatPairs(pairs)]);
  const opening = [
    describeConclusion(difference),
    ...sets.map((name) => `The vectors of ${name} differ between the two reports.`),
    ...(complete ? [] : ["The new report is not complete."]),
  ];
  return `${[...opening, ...lines].map(escapeInvisible).join("\n")}\n`;
}

function formatByRule(pairs: readonly ReportPair[], rules: ReadonlyMap<string, Rule>): string[] {
  const groups = new Map<string, ReportPair[]>();
  for (const pair of pairs) {
    const name = demandOf(pair);
    groups.set(name, [...(groups.get(name) ?? []), pair]);
  }
  const shownGroups = [...groups].slice(0, limits.rules).flatMap(([name, members]) => {
    const rule = rules.get(name);
    const hiddenCount = members.length - limits.vectors;
    return [
      `  ${name}${rule === undefined ? "" : ` ${rule.level} ${rule.statement}`}`,
      ...members.slice(0, limits.vectors).map(formatPair),
      ...(hiddenCount > 0 ? [`    and ${hiddenCount} more`] : []),
    ];
  });
  const hiddenRules = groups.size - limits.rules;
  return hiddenRules > 0
    ? [...shownGroups, `  and ${countNoun(hiddenRules, "more rule")}; --json has all`]
    : shownGroups;
}

function tallyBy(pairs: readonly ReportPair[], nameOf: (pair: ReportPair) => string): string[] {
  const groups = new Map<string, ReportPair[]>();
  for (const pair of pairs) {
    const group = groups.get(nameOf(pair));
    if (group === undefined) groups.set(nameOf(pair), [pair]);
    else group.push(pair);
  }
  return [...groups].map(([name, members]) => `  ${name}: ${numberOf(members)}`);
}

function formatPair({ id, before, now, why }: ReportPair): string {
  const hasChanged = before !== undefined && now !== undefined && before !== now;
  const outcomes = hasChanged ? `${before}, now ${now}` : (now ?? before);
  return `    ${id}: ${outcomes}${why === undefined || now === "conforms" ? "" : `: ${truncate(why, 200)}`}`;
}

function describeConclusion({
  failing,
  listed,
  lost,
  gone,
  unseen,
  fixed,
  changed,
  common,
  kinds,
  exitCode,
}: ReportDifference): string {
  if (common === 0) return `Nothing to compare: ${describeNone(kinds)} is in both.`;
  const newFailures = countInWords(numberOf(failing), failing.length === 0 ? kinds : kindsOf(failing));
  const parts = [`${newFailures} newly failing`, `${numberOf(fixed)} fixed`];
  if (listed.length > 0) parts.push(`${numberOf(listed)} newly listed`);
  if (lost.length > 0) parts.push(`${numberOf(lost)} no longer judged`);
  if (gone.length > 0) parts.push(`${numberOf(gone)} gone with their rule or scenario`);
  if (unseen.length > 0) parts.push(`${numberOf(unseen)} not shown`);
  const newWarnings = numberOf(changed.filter(({ before, now }) => before === "conforms" && now === "warns"));
  if (newWarnings > 0) parts.push(`${countNoun(newWarnings, "new warning")}`);
  const isWorse = failing.length + lost.length > 0;
  const notWorse = newWarnings > 0 ? "No new failure" : "The same or better";
  const verdict = isWorse ? "Worse" : exitCode === 0 ? notWorse : "Not shown to be the same or better";
  return `${verdict}: ${parts.join(", ")}.`;
}

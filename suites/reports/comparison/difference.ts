import type { Rule } from "../../../schemas/index.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { byId } from "../groups/group.ts";
import { demandOf } from "../wording/demand.ts";
import { countInWords, describeNone, kindsOf, numberOf, numberOfResults } from "../wording/nouns.ts";
import { countNoun } from "../wording/phrases.ts";
import type { ReportDifference, ReportPair } from "./comparison.ts";

/** The number of rules that a section names, and of vectors for each. */
const limits = { rules: 10, vectors: 2 };

/** A difference in words: the conclusion, new failures, fixed ones, and the numbers of the rest, by rule. */
export function describeDifference(difference: ReportDifference, rules: readonly Rule[]): string {
  const known = byId(rules);
  const { failing, listed, lost, fixed, still, changed, added, removed, gone, unseen, sets, complete } = difference;
  const listByRule = (pairs: readonly ReportPair[]): string[] => byRule(pairs, known);
  const sections: [string, readonly ReportPair[], (pairs: readonly ReportPair[]) => string[]][] = [
    ["fail and did not before", failing, listByRule],
    ["fail as the baseline lists, which did not list them before", listed, listByRule],
    ["are skipped and were not before", lost, listByRule],
    ["are not shown", unseen, (pairs) => tally(pairs, ({ why = "" }) => why)],
    ["no longer fail", fixed, listByRule],
    ["still fail", still, listByRule],
    ["changed otherwise", changed, listByRule],
    ["are new", added, (pairs) => tally(pairs, ({ document }) => document)],
    ["are gone, and nothing else judges their rule or scenario", gone, listByRule],
    ["are gone", removed.filter((pair) => !gone.includes(pair)), (pairs) => tally(pairs, ({ document }) => document)],
  ];
  const lines = sections
    .filter(([, pairs]) => pairs.length > 0)
    .flatMap(([title, pairs, listPairs]) => ["", `${numberOfResults(pairs)} ${title}`, ...listPairs(pairs)]);
  const head = [
    describeConclusion(difference),
    ...sets.map((name) => `The vectors of ${name} are not the same in both.`),
    ...(complete ? [] : ["The new report is not complete."]),
  ];
  return `${[...head, ...lines].map(escapeInvisible).join("\n")}\n`;
}

function byRule(pairs: readonly ReportPair[], rules: ReadonlyMap<string, Rule>): string[] {
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
      ...members.slice(0, limits.vectors).map(lineOf),
      ...(hiddenCount > 0 ? [`    and ${hiddenCount} more`] : []),
    ];
  });
  const left = groups.size - limits.rules;
  return left > 0 ? [...shownGroups, `  and ${countNoun(left, "more rule")}; --json has all`] : shownGroups;
}

function tally(pairs: readonly ReportPair[], nameOf: (pair: ReportPair) => string): string[] {
  const groups = new Map<string, ReportPair[]>();
  for (const pair of pairs) {
    const group = groups.get(nameOf(pair));
    if (group === undefined) groups.set(nameOf(pair), [pair]);
    else group.push(pair);
  }
  return [...groups].map(([name, members]) => `  ${name}: ${numberOf(members)}`);
}

function lineOf({ id, before, now, why }: ReportPair): string {
  const way = before === undefined ? now : now === undefined ? before : before === now ? now : `${before}, now ${now}`;
  return `    ${id}: ${way}${why === undefined || now === "conforms" ? "" : `: ${truncate(why, 200)}`}`;
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
  const newly = countInWords(numberOf(failing), failing.length === 0 ? kinds : kindsOf(failing));
  const parts = [`${newly} newly failing`, `${numberOf(fixed)} fixed`];
  if (listed.length > 0) parts.push(`${numberOf(listed)} newly listed`);
  if (lost.length > 0) parts.push(`${numberOf(lost)} no longer judged`);
  if (gone.length > 0) parts.push(`${numberOf(gone)} gone with their rule or scenario`);
  if (unseen.length > 0) parts.push(`${numberOf(unseen)} not shown`);
  const newWarnings = numberOf(changed.filter(({ before, now }) => before === "conforms" && now === "warns"));
  if (newWarnings > 0) parts.push(`${countNoun(newWarnings, "new warning")}`);
  const isWorse = failing.length + lost.length > 0;
  const calmTitle = newWarnings > 0 ? "No failure more" : "The same or better";
  const verdict = isWorse ? "Worse" : exitCode === 0 ? calmTitle : "Not shown to be the same or better";
  return `${verdict}: ${parts.join(", ")}.`;
}

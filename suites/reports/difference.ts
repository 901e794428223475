import type { Rule } from "../../schemas/index.ts";
import type { Difference, Pair } from "./compare.ts";
import { cut, visible } from "./escape.ts";
import { byId } from "./group.ts";
import { some } from "./words.ts";

const most = 5;

/** A difference for people: what fails anew, what no longer does, and the numbers of the rest, by rule. */
export function differenceInWords(difference: Difference, rules: readonly Rule[]): string {
  const known = byId(rules);
  const { failing, lost, fixed, still, changed, added, removed, sets, complete } = difference;
  const sections: [string, readonly Pair[], isBrief: boolean][] = [
    ["fail and did not before", failing, false],
    ["are skipped and were not before", lost, false],
    ["no longer fail", fixed, false],
    ["still fail", still, false],
    ["changed otherwise", changed, false],
    ["are new", added, true],
    ["are gone", removed, true],
  ];
  const lines = sections
    .filter(([, pairs]) => pairs.length > 0)
    .flatMap(([title, pairs, isBrief]) => [
      `${some(pairs.length, "vector")} ${title}`,
      ...(isBrief ? byDocument(pairs) : byRule(pairs, known)),
      "",
    ]);
  for (const name of sets) lines.push(`The vectors of ${name} are not the same in both.`);
  if (!complete) lines.push("The new report is not complete.");
  return `${[...lines, conclusion(difference)].map(visible).join("\n")}\n`;
}

function byRule(pairs: readonly Pair[], rules: ReadonlyMap<string, Rule>): string[] {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const name = pair.rule ?? `${pair.document}: no rule named`;
    groups.set(name, [...(groups.get(name) ?? []), pair]);
  }
  return [...groups].flatMap(([name, members]) => {
    const rule = rules.get(name);
    const more = members.length - most;
    return [
      `  ${name}${rule === undefined ? "" : ` ${rule.level} ${rule.statement}`}`,
      ...members.slice(0, most).map(lineOf),
      ...(more > 0 ? [`    and ${more} more`] : []),
    ];
  });
}

function byDocument(pairs: readonly Pair[]): string[] {
  const documents = new Map<string, number>();
  for (const { document } of pairs) documents.set(document, (documents.get(document) ?? 0) + 1);
  return [...documents].map(([name, count]) => `  ${name}: ${count}`);
}

function lineOf({ id, before, now, why }: Pair): string {
  const way = before === undefined ? now : now === undefined ? before : before === now ? now : `${before}, now ${now}`;
  return `    ${id}: ${way}${why === undefined || now === "conforms" ? "" : `: ${cut(why, 200)}`}`;
}

function conclusion({ failing, lost, fixed, exitCode }: Difference): string {
  if (exitCode === 3) return "Not shown to be the same or better.";
  const parts = [`${some(failing.length, "vector")} newly failing`, `${fixed.length} fixed`];
  if (lost.length > 0) parts.push(`${lost.length} no longer judged`);
  return `${exitCode === 0 ? "The same or better" : "Worse"}: ${parts.join(", ")}.`;
}

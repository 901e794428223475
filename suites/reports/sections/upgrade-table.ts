import type { Report, Result } from "../../../schemas/index.ts";
import { codeTag, plainMarkup } from "../../base/text/markup.ts";
import { failsRun } from "../../results/exit.ts";
import { demandOf } from "../wording/demand.ts";
import { countNoun } from "../wording/phrases.ts";

/** A report compared with a baseline list, before and after the list's update for a new vector set, and the old digests of the list. */
export interface UpgradeOfList {
  before: Report;
  now: Report;
  sets: Readonly<Record<string, string>>;
}

/** The maximum number of rows for rules. */
const maxRows = 50;

/** The changes that a new vector set makes to a list, in Markdown, for the pull request of an upgrade. */
export function upgradeTable({ before, now, sets }: UpgradeOfList): string {
  const results = before.runs.flatMap((run) => run.results);
  const newVectors = new Set(before.baseline?.newVectors);
  const failures = results.filter((result) => result.known === undefined && failsRun(result, before.failOn));
  const failuresIn = (isNew: boolean): Result[] => failures.filter(({ id }) => newVectors.has(id) === isNew);
  const removedFindings = (before.baseline?.findings ?? []).filter(({ kind }) => kind === "removed");
  const rows = [
    ...countDemands(failuresIn(false)).map(([name, number]) => ["regression", name, String(number)]),
    ...countDemands(failuresIn(true)).map(([name, number]) => ["new vectors fail", name, String(number)]),
    ...(removedFindings.length === 0
      ? []
      : [
          [
            "entries of removed vectors",
            removedFindings.map(({ name }) => name).join(", "),
            String(removedFindings.length),
          ],
        ]),
  ];
  const digests = before.runs.map(
    ({ protocol, version, set }) =>
      `- ${plainMarkup(`${protocol} ${version}`)}: \`${sets[protocol] ?? "none"}\` to \`${set.digest}\``,
  );
  const shownRows = rows
    .slice(0, maxRows)
    .map(([change, subject, number]) => `| ${change} | ${codeTag(subject as string)} | ${number} |`);
  return `${[
    "### Upgrade of the vectors",
    "",
    ...digests,
    "",
    `${countNoun(failuresIn(false).length, "regression")}, ${countNoun(failuresIn(true).length, "failure")} of new vectors, ${countNoun(removedFindings.length, "entry", "entries")} removed with their vectors; ${countNoun(now.baseline?.known ?? 0, "known failure")} now.`,
    "",
    ...(rows.length === 0 ? [] : ["| | rule or vectors | results |", "|---|---|--:|", ...shownRows]),
    ...(rows.length > maxRows ? ["", `and ${rows.length - maxRows} more rules`] : []),
  ].join("\n")}\n`;
}

/** Rules and assertions with their numbers of results, the largest first. */
function countDemands(results: readonly Result[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const result of results) counts.set(demandOf(result), (counts.get(demandOf(result)) ?? 0) + 1);
  return [...counts].sort(([, firstCount], [, secondCount]) => secondCount - firstCount);
}

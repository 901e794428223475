import type { Report, Result, Rule } from "../../../schemas/index.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { reasonWithoutBody } from "../../base/text/skips.ts";
import { failsRun } from "../../results/exit.ts";
import type { RenderOptions } from "../format.ts";
import { chooseGroups, type OutcomeGroup } from "../groups/explained-groups.ts";
import { countInWords, numberOf } from "../wording/nouns.ts";
import type { Paint } from "../wording/paint.ts";
import { participles } from "./details.ts";
import { headingOf } from "./heading.ts";
import { describeOthers } from "./other-demands.ts";

/** Says why an answer is missing, which the name of a rule does not explain. */
function describeMissing(first: Result | undefined): string {
  if (first?.why === undefined || (first.outcome !== "errored" && first.outcome !== "timed-out")) return "";
  return `: ${truncate(reasonWithoutBody(first)?.split("\n")[0] ?? "", 200)}`;
}

/** A line for a rule or an assertion, with the first result that shows it. */
export function briefLine(
  { outcome, group }: OutcomeGroup,
  { red }: Paint,
  sourceOf: RenderOptions["sourceOf"],
): string {
  const { results, of, kinds } = group;
  const count = `${numberOf(results)} of ${countInWords(of, kinds)} ${participles[outcome] ?? outcome}`;
  return `  ${red(escapeInvisible(headingOf(group, sourceOf)))} ${escapeInvisible(`${count}: ${results[0]?.id}${describeMissing(results[0])}`)}`;
}

/** A line for each rule or assertion that fails the run, with the first result that shows it, up to a limit, and the number of the others. */
export function briefLines(
  report: Report,
  rules: ReadonlyMap<string, Rule>,
  { most: limit, paint, sourceOf }: { most: number; paint: Paint; sourceOf: RenderOptions["sourceOf"] },
): string[] {
  const isFailing = ({ group }: OutcomeGroup): boolean =>
    group.results.some((result) => failsRun(result, report.failOn));
  const { shown, all } = chooseGroups(report, rules, limit, { isWanted: isFailing });
  const hiddenCount = all.length - shown.length;
  return [
    ...shown.map((outcomeGroup) => briefLine(outcomeGroup, paint, sourceOf)),
    ...(hiddenCount > 0 ? [`  and ${describeOthers(all, shown)}`] : []),
  ];
}

import type { Report, Result, Rule, Run } from "../../../schemas/index.ts";
import { escapeHtml as text } from "../../base/text/escape.ts";
import { replayCommandOf } from "../../results/replay.ts";
import type { RenderOptions } from "../format.ts";
import { groupsOf, outcomeHeadings } from "../groups/group.ts";
import { headingOf } from "../sections/heading.ts";
import { countInWords, describeRan, numberOf } from "../wording/nouns.ts";
import { describeTarget, resultFacts } from "../wording/phrases.ts";
import { renderProse } from "./prose.ts";
import { concerningOutcomes } from "./words.ts";

/** The maximum number of results shown without a script. With a script, the page shows all. */
const maxResults = 500;

/** Renders failures and warnings for a browser without scripts. The script removes this part. */
export function renderPlain(
  report: Report,
  rules: ReadonlyMap<string, Rule>,
  sourceOf?: RenderOptions["sourceOf"],
): string {
  let remaining = maxResults;
  const parts = report.runs.flatMap((run) =>
    concerningOutcomes.flatMap((outcome) => {
      const groups = groupsOf(run, outcome, rules);
      const blocks = groups.map((group) => {
        const { rule, results, of, kinds } = group;
        const shownResults = results.slice(0, remaining);
        remaining -= shownResults.length;
        const statement = rule === undefined ? "" : `<p>${renderProse(rule.statement)}</p>`;
        const hiddenCount = results.length - shownResults.length;
        return `<h4>${text(headingOf(group, sourceOf))} <span class="soft">${numberOf(results)} of ${countInWords(of, kinds)}</span></h4>
${statement}${shownResults.map((result) => resultHtml(report, run, result)).join("\n")}${hiddenCount === 0 ? "" : `<p class="soft">${hiddenCount} more are shown with a script, or in the JSON report.</p>`}`;
      });
      if (blocks.length === 0) return [];
      const title = `${outcomeHeadings[outcome]}: ${numberOf(run.results.filter((result) => result.outcome === outcome))} of ${describeRan(run)}`;
      return [
        `<h3>${text(`${run.protocol} ${run.version} against ${describeTarget(run)}`)}. ${title}</h3>\n${blocks.join("\n")}`,
      ];
    }),
  );
  return `<section id="plain">
<p>Filters, the rule matrix and each vector's instance need the script of this page, which has not run. Failures follow, then warnings.</p>
${parts.join("\n")}
</section>`;
}

function resultHtml(report: Report, run: Run, result: Result): string {
  const rows = resultFacts(result);
  const replayCommand = replayCommandOf(report, run, result.id);
  if (replayCommand !== undefined) rows.push(["replay", replayCommand]);
  return `<details><summary>${text(result.description)}<br><code>${text(result.id)}</code></summary>
<dl>${rows.map(([name, content]) => `<dt>${name}</dt><dd>${content.split("\n").map(text).join("<br>")}</dd>`).join("")}</dl></details>`;
}

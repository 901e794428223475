import { type Counts, type Outcome, outcomes, type Result, type Run } from "../../../schemas/index.ts";
import { escapeHtml as text } from "../../base/text/escape.ts";
import { type ImplementationGroup, namesOfGroup } from "../groups/implementations.ts";
import { countNoun, describeOutcome } from "../wording/phrases.ts";
import { concerningOutcomes, failingOutcomes, outcomeLooks, outcomesByGravity, totalOf } from "./words.ts";

/** Formats the attribute that the script turns into a link, with the query for the results that a cell counts. Use a list of pairs to repeat a name. */
export function linkData(query: Record<string, string> | [name: string, value: string][]): string {
  return ` data-go="${text(new URLSearchParams(query).toString())}"`;
}

/** A row of a table. Its name links to its results, or to `href` if that is given. */
export type HtmlRow = [name: string, counts: Counts, query: Record<string, string>, href?: string];

/** Formats a table of counts by outcome, without the outcomes that do not occur. */
export function outcomeTable(caption: string, rowKind: string, rows: readonly HtmlRow[]): string {
  const shownOutcomes = outcomes.filter((outcome) => rows.some(([, counts]) => counts[outcome] > 0));
  const head = shownOutcomes.map((name) => `<th scope="col">${outcomeLooks[name].sign} ${name}</th>`).join("");
  const countFailures = ([, counts]: HtmlRow): number =>
    failingOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  const body = [...rows]
    .sort((rowA, rowB) => countFailures(rowB) - countFailures(rowA))
    .map(([name, counts, query, href]) => {
      const cells = shownOutcomes.map((outcome) => {
        const count = counts[outcome];
        return count === 0
          ? `<td class="zero" data-label="${outcome}">0</td>`
          : `<td class="${outcomeLooks[outcome].tone}" data-label="${outcome}"${linkData({ ...query, outcome })}>${count}</td>`;
      });
      const title =
        href === undefined
          ? `<th scope="row"${linkData(query)}>${text(name)}</th>`
          : `<th scope="row"><a href="${text(href)}">${text(name)}</a></th>`;
      return `<tr>${title}${cells.join("")}<td data-label="in all">${totalOf(counts)}</td></tr>`;
    });
  return wideTable(caption, `<th scope="col">${rowKind}</th>${head}<th scope="col">in all</th>`, body, "numbers");
}

/** Formats a table of documents or levels by implementation. */
export function comparisonTable(
  group: ImplementationGroup,
  caption: string,
  rowKind: "document" | "level",
  splitRun: (run: Run) => readonly (readonly [name: string, results: readonly Result[]])[],
): string {
  const columns = group.runs.map((run) => new Map(splitRun(run)));
  const rows = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const head = namesOfGroup(group).map((name) => `<th scope="col">${text(name)}</th>`);
  const body = rows.map((name) => {
    const query = { protocol: group.name, [rowKind]: name };
    const cells = columns.map((column, index) =>
      cellHtml(column.get(name) ?? [], namesOfGroup(group)[index] as string, { ...query, target: String(index) }),
    );
    return `<tr><th scope="row"${linkData(query)}>${text(name)}</th>${cells.join("")}</tr>`;
  });
  return wideTable(caption, `<th scope="col">${rowKind}</th>${head.join("")}`, body, "compared");
}

/** Formats a cell such as `✕ 3 of 19 violate`: the number of results with the most serious outcome, out of the results that were run. */
function cellHtml(results: readonly Result[], column: string, query: Record<string, string>): string {
  const label = ` data-label="${text(column)}"`;
  if (results.length === 0) return `<td class="zero"${label}>not run</td>`;
  const outcomeOrder: readonly Outcome[] = [...concerningOutcomes, "conforms", ...outcomesByGravity];
  const outcome =
    outcomeOrder.find((candidate) => results.some((result) => result.outcome === candidate)) ?? "conforms";
  const matchingCount = results.filter((result) => result.outcome === outcome).length;
  const countedResults = outcome === "skipped" ? results : results.filter((result) => result.outcome !== "skipped");
  const { tone, sign } = outcomeLooks[outcome];
  return `<td class="${tone}"${label}${linkData(query)}>${sign} ${matchingCount} <span class="soft">of ${countedResults.length}</span> ${describeOutcome(outcome, matchingCount)}</td>`;
}

export function wideTable(caption: string, head: string, body: readonly string[], className: string): string {
  return `<div class="wide" tabindex="0" role="region" aria-label="${text(caption)}"><table class="${className}"><caption>${text(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}

/** Formats the shares of the outcomes as a bar, with a legend of their numbers. */
export function outcomeBar(counts: Counts, isLinked = true): string {
  const total = totalOf(counts);
  if (total === 0) return "";
  let nextX = 0;
  const parts = outcomesByGravity.flatMap((outcome) => {
    if (counts[outcome] === 0) return [];
    // A minimum width keeps the smallest share visible.
    const width = Math.max((counts[outcome] / total) * 1000, 12);
    nextX += width;
    return [
      `<rect class="${outcomeLooks[outcome].tone}${outcome === "skipped" ? " skipped" : ""}" x="${(nextX - width).toFixed(1)}" width="${(width - 2).toFixed(1)}" height="8"/>`,
    ];
  });
  const legend = outcomesByGravity.flatMap((outcome) =>
    counts[outcome] === 0
      ? []
      : [
          `<li class="${outcomeLooks[outcome].tone}"${isLinked ? linkData({ outcome }) : ""}><span class="sign" aria-hidden="true">${outcomeLooks[outcome].sign}</span> ${counts[outcome]} ${describeOutcome(outcome, counts[outcome])}</li>`,
        ],
  );
  return `<svg class="bar" viewBox="0 0 ${nextX.toFixed(1)} 8" preserveAspectRatio="none" aria-hidden="true">${parts.join("")}</svg>
<ul class="legend">${legend.join("")}<li class="soft">of ${countNoun(total, "result")}</li></ul>`;
}

import type { Report, Run } from "../../../schemas/index.ts";
import { escapeHtml as text } from "../../base/text/escape.ts";
import { compare, type ReportDifference } from "../comparison/comparison.ts";
import { countNoun, formatMoment } from "../wording/phrases.ts";
import { countFailing } from "./matrix.ts";
import { outcomeBar } from "./tables.ts";
import { totalOf } from "./words.ts";

/** The maximum number of ids that are listed for the differences between two runs. */
const maxIds = 20;

/** Shows the runs of one implementation over time, the last first, with the results and the differences from the previous run. */
export function trendChart(report: Report, name: string, runs: readonly Run[]): string {
  if (runs.length < 2) return "";
  const rows = runs.map((run, index) => {
    const previousRun = runs[index - 1];
    const changes =
      previousRun === undefined ? undefined : compare(reportOfRun(report, previousRun), reportOfRun(report, run));
    return rowHtml(run, changes);
  });
  const caption = `${name}: ${countNoun(runs.length, "run")}`;
  return `${columnChart(runs)}<div class="wide" tabindex="0" role="region" aria-label="${text(caption)}"><table class="trend"><caption>${text(caption)}, the last first</caption><thead><tr><th scope="col">started</th><th scope="col">results</th><th scope="col">fail</th><th scope="col">newly failing</th><th scope="col">fixed</th></tr></thead><tbody>${rows.reverse().join("\n")}</tbody></table></div>`;
}

function reportOfRun(report: Report, run: Run): Report {
  return { ...report, runs: [run], counts: run.counts };
}

function rowHtml({ started = "", counts, failure }: Run, changes: ReportDifference | undefined): string {
  const fails = countFailing(counts);
  const endNote = failure === undefined ? "" : `<p class="bad">could not be run: ${text(failure.message)}</p>`;
  const changeCells =
    changes === undefined
      ? '<td class="none" data-label="newly failing">·</td><td class="none" data-label="fixed">·</td>'
      : `<td data-label="newly failing">${idList(changes.failing, "bad")}</td><td data-label="fixed">${idList(changes.fixed, "good")}</td>`;
  const otherSetNote = changes?.sets.length ? '<p class="soft">other vectors than before</p>' : "";
  return `<tr><th scope="row"><time datetime="${text(started)}">${text(formatMoment(started))}</time>${otherSetNote}${endNote}</th><td class="share" data-label="results">${outcomeBar(counts, false)}</td><td class="${fails === 0 ? "good" : "bad"}" data-label="fail">${fails} <span class="soft">of ${totalOf(counts)}</span></td>${changeCells}</tr>`;
}

function idList(pairs: ReportDifference["failing"], tone: string): string {
  if (pairs.length === 0) return '<span class="soft">0</span>';
  const links = pairs.slice(0, maxIds).map(({ id }) => `<li><a href="#${text(encodeURI(id))}">${text(id)}</a></li>`);
  const hiddenIds = pairs.length - links.length;
  const hiddenNote = hiddenIds === 0 ? "" : `<li class="soft">and ${hiddenIds} more</li>`;
  return `<details><summary class="${tone}">${pairs.length}</summary><ul>${links.join("")}${hiddenNote}</ul></details>`;
}

/** Draws the number of failures with one column for each run, the oldest on the left. The table below it has the numbers. */
function columnChart(runs: readonly Run[]): string {
  const failureCounts = runs.map(({ counts }) => countFailing(counts));
  const maxFailures = Math.max(1, ...failureCounts);
  const bars = failureCounts.map((count, index) => {
    const height = count === 0 ? 1 : Math.max(3, (count / maxFailures) * 60);
    const tone = count === 0 ? "good" : "bad";
    return `<rect class="${tone}" x="${index * 24 + 2}" y="${(62 - height).toFixed(1)}" width="18" height="${height.toFixed(1)}"/>`;
  });
  const width = runs.length * 24;
  return `<svg class="columns" viewBox="0 0 ${width} 64" width="${width}" height="64" role="img" aria-label="${text(`Failing in each run, the oldest first: ${failureCounts.join(", ")}`)}">${bars.join("")}</svg>`;
}

import type { Report } from "../../../schemas/index.ts";
import { countFailing } from "../../reports/html/matrix.ts";
import { compare, type Pair } from "../../reports/index.ts";
import { countNoun, formatMoment } from "../../reports/wording/phrases.ts";
import { renderState, renderTable, toHtml } from "./page.ts";
import type { Implementation, ShownRun } from "./types.ts";

/** A release with its run of the protocol. */
interface TrendPoint {
  release: string;
  address: string;
  shown: ShownRun;
}

/** Renders the results of an implementation for one protocol, release by release. */
export function renderTrend({ releases }: Implementation, protocol: string): string {
  const points = releases.flatMap(({ name, slug, latest }): TrendPoint[] => {
    const shown = latest.get(protocol);
    return shown === undefined ? [] : [{ release: name, address: `${slug}/index.html`, shown }];
  });
  const rows = points.map((point, index) => [
    `<a href="${point.address}">${toHtml(point.release)}</a>`,
    renderState(point.shown.state),
    index === 0
      ? '<span class="soft">the first</span>'
      : renderChanges((points[index - 1] as TrendPoint).shown, point.shown),
    toHtml(formatMoment(point.shown.entry.report.started)),
  ]);
  const caption = `${protocol}, release by release`;
  return `${points.length > 1 ? renderChart(points) : ""}${renderTable(caption, ["release", "result", "since the one before", "run"], rows.reverse())}`;
}

const [columnWidth, chartHeight] = [28, 60];

/** Renders the number of failing results in each release as columns. The table below repeats it in words. */
function renderChart(steps: readonly TrendPoint[]): string {
  const counts = steps.map(({ shown: { run } }) => countFailing(run.counts));
  const maxCount = Math.max(1, ...counts);
  const columns = counts.map((count, index) => {
    // At least 3 pixels, so that a single failure is visible.
    const barHeight = count === 0 ? 1 : Math.max(3, Math.round((count / maxCount) * chartHeight));
    const x = index * columnWidth;
    return `<rect class="${count === 0 ? "good" : "bad"}" x="${x + 4}" y="${chartHeight + 16 - barHeight}" width="${columnWidth - 8}" height="${barHeight}"/><text x="${x + columnWidth / 2}" y="${chartHeight + 12 - barHeight}" text-anchor="middle">${count}</text>`;
  });
  const fullWidth = steps.length * columnWidth;
  return `<figure><svg viewBox="0 0 ${fullWidth} ${chartHeight + 18}" width="${fullWidth}" height="${chartHeight + 18}" role="img" aria-label="Results that fail, by release">${columns.join("")}</svg>
<figcaption class="soft">Results that fail, by release</figcaption></figure>
`;
}

/** The maximum number of ids listed for each kind of change. */
const maxListed = 20;

function renderChanges(earlier: ShownRun, later: ShownRun): string {
  const { failing: newlyFailing, listed, lost, fixed, sets } = compare(reportOfRun(earlier), reportOfRun(later));
  const changes = [
    renderChange("bad", "fails anew", "fail anew", [...newlyFailing, ...listed]),
    renderChange("mid", "is skipped now", "are skipped now", lost),
    renderChange("good", "is fixed", "are fixed", fixed),
  ].filter((change) => change !== "");
  const setNote = sets.length === 0 ? "" : '<span class="soft">other vectors than before</span>';
  return [...(changes.length === 0 ? ["no new failure, none fixed"] : changes), setNote].join("");
}

function renderChange(tone: string, singular: string, plural: string, pairs: readonly Pair[]): string {
  if (pairs.length === 0) return "";
  const lines = pairs.slice(0, maxListed).map(({ id }) => `<li><code>${toHtml(id)}</code></li>`);
  const furtherItem =
    pairs.length > maxListed ? `<li class="soft">and ${countNoun(pairs.length - maxListed, "more", "more")}</li>` : "";
  return `<details><summary class="${tone}">${pairs.length} ${pairs.length === 1 ? singular : plural}</summary><ul>${lines.join("")}${furtherItem}</ul></details>`;
}

/** Reduces a report to a single run. */
function reportOfRun({ entry: { report }, run }: ShownRun): Report {
  return { ...report, runs: [run] };
}

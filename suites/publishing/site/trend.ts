import type { Report } from "../../../schemas/index.ts";
import { countFailing } from "../../reports/html/matrix.ts";
import { compare, type Pair } from "../../reports/index.ts";
import { countNoun, formatMoment } from "../../reports/wording/phrases.ts";
import { renderState, renderTable, text } from "./page.ts";
import type { Implementation, ShownRun } from "./types.ts";

/** A release that has a run of the protocol, with that run. */
interface TrendPoint {
  release: string;
  address: string;
  shown: ShownRun;
}

/** The trend of an implementation from release to release, for one protocol. */
export function renderTrend({ releases }: Implementation, protocol: string): string {
  const steps = releases.flatMap(({ name, slug, latest }): TrendPoint[] => {
    const shown = latest.get(protocol);
    return shown === undefined ? [] : [{ release: name, address: `${slug}/index.html`, shown }];
  });
  const rows = steps.map((step, index) => [
    `<a href="${step.address}">${text(step.release)}</a>`,
    renderState(step.shown.state),
    index === 0
      ? '<span class="soft">the first</span>'
      : changeText((steps[index - 1] as TrendPoint).shown, step.shown),
    text(formatMoment(step.shown.entry.report.started)),
  ]);
  const caption = `${protocol}, release by release`;
  return `${steps.length > 1 ? chart(steps) : ""}${renderTable(caption, ["release", "result", "since the one before", "run"], rows.reverse())}`;
}

const [width, height] = [28, 60];

/** The number of failing results in each release, as columns. The table beside it says the same in words. */
function chart(steps: readonly TrendPoint[]): string {
  const counts = steps.map(({ shown: { run } }) => countFailing(run.counts));
  const maxCount = Math.max(1, ...counts);
  const columns = counts.map((count, index) => {
    // Even the smallest share is visible.
    const tall = count === 0 ? 1 : Math.max(3, Math.round((count / maxCount) * height));
    const x = index * width;
    return `<rect class="${count === 0 ? "good" : "bad"}" x="${x + 4}" y="${height + 16 - tall}" width="${width - 8}" height="${tall}"/><text x="${x + width / 2}" y="${height + 12 - tall}" text-anchor="middle">${count}</text>`;
  });
  const fullWidth = steps.length * width;
  return `<figure><svg viewBox="0 0 ${fullWidth} ${height + 18}" width="${fullWidth}" height="${height + 18}" role="img" aria-label="Results that fail, by release">${columns.join("")}</svg>
<figcaption class="soft">Results that fail, by release</figcaption></figure>
`;
}

/** The maximum number of ids listed for each kind of change. */
const maxListed = 20;

function changeText(before: ShownRun, now: ShownRun): string {
  const { failing: anew, listed, lost, fixed, sets } = compare(reportOfRun(before), reportOfRun(now));
  const shares = [
    renderKind("bad", "fails anew", "fail anew", [...anew, ...listed]),
    renderKind("mid", "is skipped now", "are skipped now", lost),
    renderKind("good", "is fixed", "are fixed", fixed),
  ].filter((each) => each !== "");
  const other = sets.length === 0 ? "" : '<span class="soft">other vectors than before</span>';
  return [...(shares.length === 0 ? ["no new failure, none fixed"] : shares), other].join("");
}

function renderKind(tone: string, one: string, several: string, pairs: readonly Pair[]): string {
  if (pairs.length === 0) return "";
  const lines = pairs.slice(0, maxListed).map(({ id }) => `<li><code>${text(id)}</code></li>`);
  const more =
    pairs.length > maxListed ? `<li class="soft">and ${countNoun(pairs.length - maxListed, "more", "more")}</li>` : "";
  return `<details><summary class="${tone}">${pairs.length} ${pairs.length === 1 ? one : several}</summary><ul>${lines.join("")}${more}</ul></details>`;
}

/** A report of a single run. */
function reportOfRun({ entry: { report }, run }: ShownRun): Report {
  return { ...report, runs: [run] };
}

import { createHash } from "node:crypto";
import { count, type Report, type Rule, type Run } from "../../../schemas/index.ts";
import { escapeHtml, truncate } from "../../base/text/escape.ts";
import { pluralizeReason } from "../../base/text/skips.ts";
import { disputedNote, groupByDocument, groupByLevel, groupsOf, indexById } from "../../reports/groups/group.ts";
import { renderProse } from "../../reports/html/prose.ts";
import { outcomeBar, outcomeTable } from "../../reports/html/tables.ts";
import { concerningOutcomes, describeFilter } from "../../reports/html/words.ts";
import { countInWords, numberOf, numberOfResults } from "../../reports/wording/nouns.ts";
import { countNoun, describeCounts, formatMoment, nameTarget, resultFacts } from "../../reports/wording/phrases.ts";
import { replayCommandOf } from "../../results/replay.ts";
import { scoresOf } from "./badges.ts";
import { renderPage, renderState, toHtml } from "./page.ts";
import { protocolOf } from "./site-entries.ts";
import type { Implementation, Release, ShownRun } from "./types.ts";

/** The maximum number of causes on a page, of examples for each cause, and of reasons for skips. The report has all of them. */
const limits = { causes: 100, examples: 3, reasons: 50 };

/** Renders the page of a release: for each protocol its counts, failures, skips and certificates. */
export function renderRelease({ name }: Implementation, release: Release, rules: readonly Rule[]): string {
  const rulesById = indexById(rules);
  const earlierRuns = release.earlier.map(
    (shownRun) =>
      `<li>${toHtml(protocolOf(shownRun.run))}, run ${toHtml(formatMoment(shownRun.entry.report.started))}: ${toHtml(shownRun.state.summary)} (<a href="${downloadFile(shownRun)}">download</a>)</li>`,
  );
  return renderPage(
    `${name} ${release.name}`,
    [
      ["Results", "../../index.html"],
      [name, "../index.html"],
    ],
    `${[...release.latest.values()].map((shownRun) => renderRun(shownRun, rulesById)).join("\n")}
${earlierRuns.length === 0 ? "" : `<h2>Earlier runs</h2>\n<ul>${earlierRuns.join("\n")}</ul>`}`,
  );
}

/** Returns the name of the file with a run's report or certificate, in the folder of the page. */
export function downloadFile({ entry: { download } }: ShownRun): string {
  const digest = createHash("sha256").update(download.text).digest("hex");
  return `report-${digest.slice(0, 16)}.${download.extension}`;
}

function renderRun(shownRun: ShownRun, rules: ReadonlyMap<string, Rule>): string {
  const { entry, run, state } = shownRun;
  const { counts } = run;
  return `<h2>${toHtml(protocolOf(run))}</h2>
<p>${renderState(state)}</p>
${outcomeBar(counts)}
<p>${toHtml(describeCounts(counts))}.${disputedNote([run]).map((note) => ` <span class="soft">${escapeHtml(note)}</span>`)}</p>
<dl>${renderFacts(shownRun)
    .map(([term, fact]) => `<dt>${term}</dt><dd>${fact}</dd>`)
    .join("")}</dl>
${renderSignature(shownRun)}
${run.results.length === 0 ? "" : renderTables(run)}
${renderFailures(entry.report, run, rules)}
${renderSkips(run)}`;
}

function renderFacts(shownRun: ShownRun): [what: string, fact: string][] {
  const { entry, run } = shownRun;
  const { report } = entry;
  const { target, readings, failure, set } = run;
  const command = run.command ?? report.command;
  return [
    ["Target", toHtml(nameTarget(target))],
    ["Run", `${toHtml(formatMoment(report.started))}, by Touchstone ${toHtml(report.tool.version)}`],
    ["Vectors", `${toHtml(describeFilter(run))} <span class="digest soft">${toHtml(set.digest)}</span>`],
    ...(target.claims === undefined
      ? []
      : [["Claims", toHtml(target.claims.join(", ") || "nothing")] as [string, string]]),
    ...(readings === undefined ? [] : [["Readings", toHtml(readings.join(", "))] as [string, string]]),
    ...(failure === undefined
      ? []
      : [["Failure", toHtml(`at ${failure.stage}: ${failure.message}`)] as [string, string]]),
    ...(command === "" ? [] : [["Command", `<code>${escapeHtml(truncate(command, 2000))}</code>`] as [string, string]]),
    ["Download", `<a href="${downloadFile(shownRun)}">${downloadFile(shownRun)}</a>`],
  ];
}

function renderSignature({ entry: { certificate }, run }: ShownRun): string {
  if (certificate === undefined) return '<p class="soft">Nobody has signed this report.</p>';
  const { key, isTrusted, notChecked } = certificate;
  const trust = isTrusted
    ? "Signed by a key that the maintainer of these pages trusts"
    : "Signed by a key that the maintainer of these pages does not vouch for: anyone can make one";
  const scores = scoresOf(certificate, protocolOf(run)).map(
    ({ profile, result, counts }) =>
      `<li><strong>${toHtml(result)}</strong> ${toHtml(profile)}: ${toHtml(describeCounts(counts))}</li>`,
  );
  const notCheckedItems = notChecked
    .filter((uncovered) => protocolOf(uncovered) === protocolOf(run))
    .map(
      ({ profile, results, why }) =>
        `<li>Not checked: ${toHtml(profile)}, ${countNoun(results, "result")} (${toHtml(why)})</li>`,
    );
  return `<div class="box"><p>${trust}: <span class="digest">${key}</span></p><ul>${[...scores, ...notCheckedItems].join("")}</ul>
<p class="soft">A signature proves who states this, and that nothing was changed since. It does not prove that the tests ran.</p></div>`;
}

function renderTables(run: Run): string {
  const protocol = protocolOf(run);
  return `<div class="wide">${outcomeTable(
    "By document",
    "document",
    groupByDocument(run).map(([name, results]) => [name, count(results), { protocol }]),
  )}
${outcomeTable(
  "By level",
  "level",
  groupByLevel(run).map(([name, results]) => [name, count(results), { protocol }]),
)}</div>`;
}

function renderFailures(report: Report, run: Run, rules: ReadonlyMap<string, Rule>): string {
  const groups = concerningOutcomes.flatMap((outcome) =>
    groupsOf(run, outcome, rules).map((group) => ({ outcome, ...group })),
  );
  if (groups.length === 0) return "";
  const blocks = groups.slice(0, limits.causes).map(({ outcome, name, rule, results, of: total, kinds }) => {
    const examples = results.slice(0, limits.examples).map((result) => {
      const replayCommand = replayCommandOf(report, run, result.id);
      const facts = [
        ...resultFacts(result),
        ...(replayCommand === undefined ? [] : [["replay", replayCommand] as const]),
      ];
      return `<p>${toHtml(result.description)}<br><code>${toHtml(result.id)}</code></p><dl>${facts.map(([term, fact]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(truncate(fact, 2000))}</dd>`).join("")}</dl>`;
    });
    const furtherNote =
      results.length > limits.examples ? `<p class="soft">And ${results.length - limits.examples} more.</p>` : "";
    return `<details><summary>${escapeHtml(outcome)}: <strong>${toHtml(name)}</strong> <span class="soft">${numberOf(results)} of ${countInWords(total, kinds)}</span></summary>
${rule === undefined ? "" : `<p>${renderProse(rule.statement)}</p>`}${examples.join("\n")}${furtherNote}</details>`;
  });
  const furtherNote =
    groups.length > limits.causes ? `<p class="soft">And ${groups.length - limits.causes} more causes.</p>` : "";
  return `<h3>Failures</h3>\n${blocks.join("\n")}${furtherNote}`;
}

function renderSkips(run: Run): string {
  const groups = groupsOf(run, "skipped", new Map());
  if (groups.length === 0) return "";
  const lines = groups
    .slice(0, limits.reasons)
    .map(
      ({ name, results }) =>
        `<li>${numberOf(results)} of ${numberOfResults(run.results)}: ${toHtml(pluralizeReason(results.length, name))}</li>`,
    );
  const furtherNote =
    groups.length > limits.reasons ? `<li class="soft">And ${groups.length - limits.reasons} more reasons.</li>` : "";
  return `<h3>Skipped</h3>\n<ul>${lines.join("\n")}${furtherNote}</ul>`;
}

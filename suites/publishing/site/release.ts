import { createHash } from "node:crypto";
import { count, type Report, type Rule, type Run } from "../../../schemas/index.ts";
import { escapeHtml, truncate } from "../../base/text/escape.ts";
import { reasonOf } from "../../base/text/skips.ts";
import { byDocument, byId, byLevel, disputedNote, groupsOf } from "../../reports/groups/group.ts";
import { renderProse } from "../../reports/html/prose.ts";
import { outcomeBar, outcomeTable } from "../../reports/html/tables.ts";
import { concerns, describeFilter } from "../../reports/html/words.ts";
import { countInWords, numberOf, numberOfResults } from "../../reports/wording/nouns.ts";
import { countNoun, describeCounts, formatMoment, nameTarget, resultFacts } from "../../reports/wording/phrases.ts";
import { replayIn } from "../../results/replay.ts";
import { scoresOf } from "./badges.ts";
import { renderPage, renderState, text } from "./page.ts";
import { protocolOf } from "./site-entries.ts";
import type { Implementation, Release, ShownRun } from "./types.ts";

/** The maximum number of causes on a page, and of examples for each: the report has all of them. */
const limits = { causes: 100, examples: 3, reasons: 50 };

/** The page of a release: each protocol with its counts, its failures and their reasons, and its certificates. */
export function releasePage({ name }: Implementation, release: Release, rules: readonly Rule[]): string {
  const rulesById = byId(rules);
  const earlier = release.earlier.map(
    (shownRun) =>
      `<li>${text(protocolOf(shownRun.run))}, run ${text(formatMoment(shownRun.entry.report.started))}: ${text(shownRun.state.says)} (<a href="${downloadFile(shownRun)}">download</a>)</li>`,
  );
  return renderPage(
    `${name} ${release.name}`,
    [
      ["Results", "../../index.html"],
      [name, "../index.html"],
    ],
    `${[...release.latest.values()].map((shownRun) => section(shownRun, rulesById)).join("\n")}
${earlier.length === 0 ? "" : `<h2>Earlier runs</h2>\n<ul>${earlier.join("\n")}</ul>`}`,
  );
}

/** The file name of a run's report, or certificate, beside the page. */
export function downloadFile({ entry: { download } }: ShownRun): string {
  const digest = createHash("sha256").update(download.text).digest("hex");
  return `report-${digest.slice(0, 16)}.${download.extension}`;
}

function section(shownRun: ShownRun, rules: ReadonlyMap<string, Rule>): string {
  const { entry, run, state } = shownRun;
  const { counts } = run;
  return `<h2>${text(protocolOf(run))}</h2>
<p>${renderState(state)}</p>
${outcomeBar(counts)}
<p>${text(describeCounts(counts))}.${disputedNote([run]).map((note) => ` <span class="soft">${escapeHtml(note)}</span>`)}</p>
<dl>${factsOf(shownRun)
    .map(([term, fact]) => `<dt>${term}</dt><dd>${fact}</dd>`)
    .join("")}</dl>
${signatureLine(shownRun)}
${run.results.length === 0 ? "" : tables(run)}
${renderFailures(entry.report, run, rules)}
${skipLine(run)}`;
}

function factsOf(shownRun: ShownRun): [what: string, fact: string][] {
  const { entry, run } = shownRun;
  const { report } = entry;
  const { target, readings, failure, set } = run;
  const command = run.command ?? report.command;
  return [
    ["Target", text(nameTarget(target))],
    ["Run", `${text(formatMoment(report.started))}, by Touchstone ${text(report.tool.version)}`],
    ["Vectors", `${text(describeFilter(run))} <span class="digest soft">${text(set.digest)}</span>`],
    ...(target.claims === undefined
      ? []
      : [["Claims", text(target.claims.join(", ") || "nothing")] as [string, string]]),
    ...(readings === undefined ? [] : [["Readings", text(readings.join(", "))] as [string, string]]),
    ...(failure === undefined
      ? []
      : [["Failure", text(`at ${failure.stage}: ${failure.message}`)] as [string, string]]),
    ...(command === "" ? [] : [["Command", `<code>${escapeHtml(truncate(command, 2000))}</code>`] as [string, string]]),
    ["Download", `<a href="${downloadFile(shownRun)}">${downloadFile(shownRun)}</a>`],
  ];
}

function signatureLine({ entry: { certificate }, run }: ShownRun): string {
  if (certificate === undefined) return '<p class="soft">Nobody has signed this report.</p>';
  const { key, isTrusted, notChecked } = certificate;
  const trust = isTrusted
    ? "Signed by a key that the maintainer of these pages trusts"
    : "Signed by a key that the maintainer of these pages does not vouch for: anyone can make one";
  const scores = scoresOf(certificate, protocolOf(run)).map(
    ({ profile, result, counts }) =>
      `<li><strong>${text(result)}</strong> ${text(profile)}: ${text(describeCounts(counts))}</li>`,
  );
  const left = notChecked
    .filter((each) => protocolOf(each) === protocolOf(run))
    .map(
      ({ profile, results, why }) =>
        `<li>Not checked: ${text(profile)}, ${countNoun(results, "result")} (${text(why)})</li>`,
    );
  return `<div class="box"><p>${trust}: <span class="digest">${key}</span></p><ul>${[...scores, ...left].join("")}</ul>
<p class="soft">A signature proves who states this, and that nothing was changed since. It does not prove that the tests ran.</p></div>`;
}

function tables(run: Run): string {
  const protocol = protocolOf(run);
  return `<div class="wide">${outcomeTable(
    "By document",
    "document",
    byDocument(run).map(([name, results]) => [name, count(results), { protocol }]),
  )}
${outcomeTable(
  "By level",
  "level",
  byLevel(run).map(([name, results]) => [name, count(results), { protocol }]),
)}</div>`;
}

function renderFailures(report: Report, run: Run, rules: ReadonlyMap<string, Rule>): string {
  const groups = concerns.flatMap((outcome) => groupsOf(run, outcome, rules).map((group) => ({ outcome, ...group })));
  if (groups.length === 0) return "";
  const blocks = groups.slice(0, limits.causes).map(({ outcome, name, rule, results, of, kinds }) => {
    const examples = results.slice(0, limits.examples).map((result) => {
      const replayCommand = replayIn(report, run, result.id);
      const facts = [
        ...resultFacts(result),
        ...(replayCommand === undefined ? [] : [["replay", replayCommand] as const]),
      ];
      return `<p>${text(result.description)}<br><code>${text(result.id)}</code></p><dl>${facts.map(([term, fact]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(truncate(fact, 2000))}</dd>`).join("")}</dl>`;
    });
    const more =
      results.length > limits.examples ? `<p class="soft">And ${results.length - limits.examples} more.</p>` : "";
    return `<details><summary>${escapeHtml(outcome)}: <strong>${text(name)}</strong> <span class="soft">${numberOf(results)} of ${countInWords(of, kinds)}</span></summary>
${rule === undefined ? "" : `<p>${renderProse(rule.statement)}</p>`}${examples.join("\n")}${more}</details>`;
  });
  const left =
    groups.length > limits.causes ? `<p class="soft">And ${groups.length - limits.causes} more causes.</p>` : "";
  return `<h3>Failures</h3>\n${blocks.join("\n")}${left}`;
}

function skipLine(run: Run): string {
  const groups = groupsOf(run, "skipped", new Map());
  if (groups.length === 0) return "";
  const lines = groups
    .slice(0, limits.reasons)
    .map(
      ({ name, results }) =>
        `<li>${numberOf(results)} of ${numberOfResults(run.results)}: ${text(reasonOf(results.length, name))}</li>`,
    );
  const left =
    groups.length > limits.reasons ? `<li class="soft">And ${groups.length - limits.reasons} more reasons.</li>` : "";
  return `<h3>Skipped</h3>\n<ul>${lines.join("\n")}${left}</ul>`;
}

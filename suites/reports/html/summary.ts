import { count, type Outcome, type Report, type Rule, type Run } from "../../../schemas/index.ts";
import { escapeHtml as text } from "../../base/text/escape.ts";
import type { RenderOptions } from "../format.ts";
import { groupByDocument, groupByLevel, groupsOf, weightOf } from "../groups/group.ts";
import { groupsByProtocol, type ImplementationGroup, namesOfGroup } from "../groups/implementations.ts";
import { headingOf } from "../sections/heading.ts";
import { countInWords, numberOf } from "../wording/nouns.ts";
import { countNoun } from "../wording/phrases.ts";
import { type DocumentMatrix, documentsByFamily, rulesByImplementation } from "./matrix.ts";
import { matrixTable } from "./matrix-table.ts";
import { renderProse } from "./prose.ts";
import { comparisonTable, type HtmlRow, linkData, outcomeTable } from "./tables.ts";
import { trendChart } from "./trend.ts";
import { concerningOutcomes, describeFilter, failingOutcomes, outcomeLooks } from "./words.ts";

type SummarySources = RenderOptions["sourceOf"];

/** The data that describes causes: rules by id, and the places of assertions. */
interface CauseSources {
  rules: ReadonlyMap<string, Rule>;
  sourceOf: SummarySources;
}

/** Counts by protocol, level and document, the failing rules, and the matrix of each protocol. */
export function renderSummary(report: Report, rules: ReadonlyMap<string, Rule>, sourceOf?: SummarySources): string {
  const groups = groupsByProtocol(report.runs);
  const rows = groups.flatMap((group, groupIndex) =>
    group.runs.map((run, index): HtmlRow => {
      const hasSeveralRuns = group.runs.length > 1;
      return [
        hasSeveralRuns ? `${group.name}, ${namesOfGroup(group)[index]}` : group.name,
        run.counts,
        { protocol: group.name, ...(hasSeveralRuns ? { target: String(index) } : {}) },
        `#${idOf(groupIndex)}`,
      ];
    }),
  );
  return `${groups.length > 1 ? outcomeTable("By protocol", "protocol", rows) : ""}
${groups.map((group, index) => sectionHtml(report, group, index, { rules, sourceOf })).join("\n")}`;
}

function idOf(index: number): string {
  return `protocol-${index + 1}`;
}

function sectionHtml(report: Report, group: ImplementationGroup, index: number, causeSources: CauseSources): string {
  const { rules } = causeSources;
  const id = idOf(index);
  const digests = new Set(group.runs.map(({ set }) => set.digest));
  const setHtml = (digest: string): string => `<span class="digest">vector set ${text(digest)}</span>`;
  const runItems = group.runs.map((run, runIndex) => {
    const claims = run.target.claims === undefined ? "" : ` · claims ${run.target.claims.join(", ") || "nothing"}`;
    return `<li><strong>${text(namesOfGroup(group)[runIndex] as string)}</strong> ${text(`${describeFilter(run)}${claims}`)}${describeKnown(run)}${digests.size > 1 ? ` ${setHtml(run.set.digest)}` : ""}</li>`;
  });
  const trends = group.runs.map((run, number) =>
    trendChart(report, namesOfGroup(group)[number] as string, [...(group.earlier[number] ?? []), run]),
  );
  const isEmpty = group.runs.every(({ results }) => results.length === 0);
  const hasSeveralRuns = group.runs.length > 1;
  const causes = group.runs.map((run, number) => causesHtmlOf(group, run, number, causeSources)).filter(Boolean);
  const causesHtml =
    hasSeveralRuns && causes.length > 0 ? `<div class="pair">${causes.join("\n")}</div>` : causes.join("\n");
  const matrix = isEmpty ? "<p>No vector was run.</p>" : matrixHtml(group, rules);
  return `<section class="protocol"><h2 id="${id}">${text(group.name)} <a class="anchor" href="#${id}" aria-label="${text(`Link to ${group.name}`)}">#</a></h2>
<ul class="runs">${runItems.join("")}${digests.size > 1 ? "" : `<li>${[...digests].map(setHtml).join("")}</li>`}</ul>
${trends.some(Boolean) ? `<h3>History</h3>${trends.join("\n")}` : ""}
${hasSeveralRuns ? `${matrix}\n${causesHtml}` : `${causesHtml}\n${matrix}`}
${isEmpty ? "" : `<div class="pair">${tablesOf(group).join("\n")}</div>`}
</section>`;
}

/** The maximum number of rules in the matrix of the summary. */
const maxRules = 15;

/** The matrix by rule for several implementations, or by document and family of faults for one. */
function matrixHtml(group: ImplementationGroup, rules: ReadonlyMap<string, Rule>): string {
  const protocol = group.name;
  if (group.runs.length > 1) {
    const columns = namesOfGroup(group).map((name, index) => ({ name, results: group.runs[index]?.results ?? [] }));
    return matrixTable(rulesByImplementation(columns, [...rules.values()]), {
      caption: "Rules by implementation",
      most: maxRules,
      more: `<span data-view="${text(`rules?${new URLSearchParams({ protocol })}`)}">All rules</span>`,
      link: ({ name }, column) =>
        linkData({ protocol, rule: name, ...(column === undefined ? {} : { target: `${column}` }) }),
    });
  }
  const [singleRun] = group.runs;
  if (singleRun === undefined) return "";
  const matrix = documentsByFamily(singleRun);
  if (matrix.rows.length === 0) return describeLeftOut(protocol, matrix);
  const table = matrixTable(matrix, {
    caption: "Documents by kind of fault",
    link: ({ name }, column) =>
      linkData({
        protocol,
        document: name,
        ...(column === undefined ? {} : { family: matrix.columns[column] as string }),
      }),
  });
  return `${table}${describeLeftOut(protocol, matrix)}`;
}

/** Says which results have no row or column in a matrix. */
function describeLeftOut(protocol: string, { without }: DocumentMatrix): string {
  const parts = [
    ...(without.documents === 0 ? [] : [countNoun(without.documents, "document")]),
    ...(without.families === 0 ? [] : [countNoun(without.families, "kind of fault", "kinds of fault")]),
  ];
  if (parts.length === 0) return "";
  return `<p class="soft">Not shown, because all their results <span${linkData({ protocol, outcome: "skipped" })}>were skipped</span>: ${parts.join(" and ")}.</p>`;
}

function tablesOf(group: ImplementationGroup): string[] {
  const [singleRun] = group.runs;
  if (group.runs.length > 1 || singleRun === undefined)
    return [
      comparisonTable(group, "Implementations by document", "document", groupByDocument),
      comparisonTable(group, "Implementations by level", "level", groupByLevel),
    ];
  return [
    outcomeTable("By document", "document", tableRows(group, "document", groupByDocument(singleRun))),
    outcomeTable("By level", "level", tableRows(group, "level", groupByLevel(singleRun))),
  ];
}

function tableRows(
  group: ImplementationGroup,
  countedPart: string,
  parts: ReturnType<typeof groupByDocument> | ReturnType<typeof groupByLevel>,
): HtmlRow[] {
  return parts.map(([name, results]): HtmlRow => [name, count(results), { protocol: group.name, [countedPart]: name }]);
}

function describeKnown({ results }: Run): string {
  const knownCount = results.filter((result) => result.known !== undefined).length;
  return knownCount === 0 ? "" : ` · ${knownCount} of ${countNoun(results.length, "result")} known to the baseline`;
}

/** The maximum number of causes in a list, so that a reader can grasp it at a glance. */
const maxCauses = 8;

function causesHtmlOf(group: ImplementationGroup, run: Run, index: number, causeSources: CauseSources): string {
  const name = group.runs.length > 1 ? namesOfGroup(group)[index] : undefined;
  const noteOutcomes = concerningOutcomes.filter((outcome) => !failingOutcomes.includes(outcome));
  const runOfGroup = { group, run, index, ...causeSources };
  const parts = [
    causeList(
      runOfGroup,
      failingOutcomes,
      name === undefined ? "Where it fails" : `Where ${name} fails`,
      "all failures",
    ),
    causeList(
      runOfGroup,
      noteOutcomes,
      name === undefined ? titleOfNotes(run) : `${titleOfNotes(run)}: ${name}`,
      "all of them",
    ),
  ].filter(Boolean);
  return parts.length < 2 ? parts.join("") : `<div>${parts.join("\n")}</div>`;
}

/** A title for the outcomes that deserve attention without being failures. */
function titleOfNotes({ counts }: Run): string {
  const titles = [
    ...(counts.warns > 0 ? ["Warnings"] : []),
    ...(counts["wrong-reason"] > 0 ? ["refusals for another cause (wrong-reason)"] : []),
  ].join(", and ");
  return titles.charAt(0).toUpperCase() + titles.slice(1);
}

interface RunOfGroup extends CauseSources {
  group: ImplementationGroup;
  run: Run;
  index: number;
}

/** The causes of some outcomes, those with the most results first. */
function causeList(
  { group, run, index, rules, sourceOf }: RunOfGroup,
  shownOutcomes: readonly Outcome[],
  title: string,
  allLinkText: string,
): string {
  const causes = shownOutcomes.flatMap((outcome) =>
    groupsOf(run, outcome, rules)
      .sort((first, second) => second.results.length - first.results.length)
      .map((cause) => ({ outcome, ...cause })),
  );
  if (causes.length === 0) return "";
  const hasSeveralRuns = group.runs.length > 1;
  const items = causes.slice(0, maxCauses).map(({ outcome, ...cause }) => {
    const { name, rule, results, of, kinds } = cause;
    const query = {
      protocol: group.name,
      outcome,
      target: String(index),
      ...(results[0]?.rule === name ? { rule: name } : {}),
    };
    const { tone, sign } = outcomeLooks[outcome];
    return `<li><span class="${tone}"><span class="sign" aria-hidden="true" title="${outcome}">${sign}</span><span class="unseen">${outcome}</span></span> <strong${linkData(query)}>${text(headingOf(cause, sourceOf))}</strong> <span class="soft">${rule === undefined ? "" : text(`${weightOf(cause)} · clause ${rule.clause} · `)}${numberOf(results)} of ${countInWords(of, kinds)}</span>${rule === undefined || hasSeveralRuns ? "" : `<p>${renderProse(rule.statement)}</p>`}</li>`;
  });
  const outcomeQuery = shownOutcomes.map((outcome): [string, string] => ["outcome", outcome]);
  const moreNote =
    causes.length > maxCauses
      ? `<p class="soft">And ${causes.length - maxCauses} more: <span${linkData([["protocol", group.name], ["target", String(index)], ...outcomeQuery])}>${allLinkText}</span></p>`
      : "";
  return `<section><h3>${text(title)}</h3><ul class="causes">${items.join("\n")}</ul>${moreNote}</section>`;
}

import { count, type Report, type Rule, type Run } from "../../../schemas/index.ts";
import { html as text } from "../../text/escape.ts";
import { byDocument, byLevel, groupsOf, weightOf } from "../group.ts";
import { reachLines } from "../reach.ts";
import { conclusion, some } from "../words.ts";
import { bar, comparison, outcomeTable, type Row } from "./tables.ts";
import { failures, filterInWords, type Group, groupsByProtocol, looks, names } from "./words.ts";

/** The head of the page: what it amounts to, and first of all what keeps it from being the whole. */
export function header(report: Report, rules: readonly Rule[]): string {
  const targets = [...new Set(groupsByProtocol(report.runs).flatMap(names))];
  const seconds = (report.durationMs / 1000).toFixed(1);
  const facts: [name: string, what: string][] = [
    [targets.length === 1 ? "Implementation" : "Implementations", text(targets.join("; "))],
    [
      "Started",
      `<time datetime="${text(report.started)}">${text(report.started.replace("T", " ").replace(/\.\d+Z$/, " UTC"))}</time>, for ${seconds} s`,
    ],
    ["By", `Touchstone ${text(report.tool.version)}`],
  ];
  if (report.command !== "") facts.push(["Command", `<code>${text(report.command)}</code>`]);
  const rows = facts
    .filter(([, what]) => what !== "")
    .map(([name, what]) => `<div><dt>${name}</dt><dd>${what}</dd></div>`);
  return `${notices(report, rules)}
<h1 class="${report.exitCode === 0 ? "good" : "bad"}">${text(conclusion(report))}</h1>
${bar(report.counts)}
<dl class="facts">${rows.join("")}</dl>`;
}

/** What a reader must know before any number. */
function notices(report: Report, rules: readonly Rule[]): string {
  const all: [title: string, what: string][] = [];
  if (!report.complete) {
    const had = groupsByProtocol(report.runs).flatMap((group) =>
      group.runs.map((run, index) => `${group.name} against ${names(group)[index]}: ${filterInWords(run)}`),
    );
    all.push(["Partial", `Not every vector has its outcome. ${had.join("; ")}`]);
  }
  for (const group of groupsByProtocol(report.runs)) {
    group.runs.forEach(({ failure }, index) => {
      if (failure !== undefined)
        all.push([
          `${group.name} could not be run against ${names(group)[index]}`,
          `At ${failure.stage}: ${failure.message}`,
        ]);
    });
    if (new Set(group.runs.map(({ set }) => set.digest)).size > 1)
      all.push([group.name, "The implementations were asked different sets of vectors: compare with care."]);
  }
  for (const { kind, name, what } of report.baseline?.findings ?? []) all.push([`Baseline, ${kind}: ${name}`, what]);
  for (const line of reachLines(report, rules)) all.push(["Drawn at random", line]);
  const items = all.map(
    ([title, what]) =>
      `<li><strong>${text(title)}</strong> <span>${text(what).replaceAll("\\u000a", "<br>")}</span></li>`,
  );
  return items.length === 0 ? "" : `<ul class="notices" aria-label="Before you read on">${items.join("\n")}</ul>`;
}

/** Counts by protocol, level and document, and the rules that fail. */
export function summary(report: Report, rules: ReadonlyMap<string, Rule>): string {
  const groups = groupsByProtocol(report.runs);
  const rows = groups.flatMap((group) =>
    group.runs.map((run, index): Row => {
      const several = group.runs.length > 1;
      return [
        several ? `${group.name}, ${names(group)[index]}` : group.name,
        run.counts,
        { protocol: group.name, ...(several ? { target: String(index) } : {}) },
      ];
    }),
  );
  return `${rows.length > 1 ? outcomeTable("By protocol", "protocol", rows) : ""}
${groups.map((group) => section(group, rules)).join("\n")}`;
}

function section(group: Group, rules: ReadonlyMap<string, Rule>): string {
  const about = group.runs.map((run, index) => {
    const claims = run.target.claims === undefined ? "" : ` · claims ${run.target.claims.join(", ") || "nothing"}`;
    return `<li><strong>${text(names(group)[index] as string)}</strong> ${text(`${filterInWords(run)}${claims}`)}${known(run)} <span class="digest">${text(run.set.digest)}</span></li>`;
  });
  const [only] = group.runs;
  const tables =
    group.runs.length === 1 && only !== undefined
      ? [
          outcomeTable("By document", "document", rowsOf(group, "document", byDocument(only))),
          outcomeTable("By level", "level", rowsOf(group, "level", byLevel(only))),
        ]
      : [
          comparison(group, "Implementations by document", "document", byDocument),
          comparison(group, "Implementations by level", "level", byLevel),
        ];
  const empty = group.runs.every(({ results }) => results.length === 0);
  return `<section class="protocol"><h2>${text(group.name)}</h2>
<ul class="runs">${about.join("")}</ul>
${group.runs.map((run, index) => failing(group, run, index, rules)).join("\n")}
${empty ? "<p>No vector was run.</p>" : `<div class="pair">${tables.join("\n")}</div>`}
</section>`;
}

function rowsOf(group: Group, of: string, parts: ReturnType<typeof byDocument> | ReturnType<typeof byLevel>): Row[] {
  return parts.map(([name, results]): Row => [name, count(results), { protocol: group.name, [of]: name }]);
}

function known({ results }: Run): string {
  const all = results.filter((result) => result.known !== undefined).length;
  return all === 0 ? "" : ` · ${all} of ${some(results.length, "result")} known to the baseline`;
}

/** As many causes as one takes in at a glance. */
const most = 8;

function failing(group: Group, run: Run, index: number, rules: ReadonlyMap<string, Rule>): string {
  const all = failures.flatMap((outcome) => groupsOf(run, outcome, rules).map((cause) => ({ outcome, ...cause })));
  if (all.length === 0) return "";
  const items = all.slice(0, most).map(({ outcome, ...cause }) => {
    const { name, rule, results, of } = cause;
    const query = new URLSearchParams({ protocol: group.name, outcome, target: String(index) });
    if (results[0]?.rule === name) query.set("rule", name);
    const { tone, sign } = looks[outcome];
    return `<li><span class="${tone}"><span class="sign" aria-hidden="true">${sign}</span> ${outcome}</span> <strong data-go="${text(query.toString())}">${text(name)}</strong> <span class="soft">${rule === undefined ? "" : text(`${weightOf(cause)} · clause ${rule.clause} · `)}${results.length} of ${some(of, "vector")}</span>${rule === undefined ? "" : `<p>${prose(rule.statement)}</p>`}</li>`;
  });
  const title = group.runs.length === 1 ? "Where it fails" : `Where ${names(group)[index]} fails`;
  const more =
    all.length > most ? `<p class="soft">And ${all.length - most} more of ${some(all.length, "cause")}.</p>` : "";
  return `<h3>${text(title)}</h3><ul class="causes">${items.join("\n")}</ul>${more}`;
}

/** A statement, with what stands between backticks as code. */
export function prose(statement: string): string {
  return text(statement).replace(/`([^`]+)`/g, "<code>$1</code>");
}

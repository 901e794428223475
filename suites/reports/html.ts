import {
  type Counts,
  count,
  type Exchange,
  type Outcome,
  outcomes,
  type Report,
  type Result,
  type Rule,
  type Run,
} from "../../schemas/index.ts";
import { replay } from "../run/replay.ts";
import { cut, html as text } from "./escape.ts";
import type { Format } from "./format.ts";
import { byDocument, byId, byLevel, explained, type Group, groupsOf, headings } from "./group.ts";
import { css } from "./html.css.ts";
import { instance } from "./instance.ts";
import { against, conclusion, countsInWords, facts, some } from "./words.ts";

/** One page that needs nothing else: no script, no request, nothing but its own style. */
export const html: Format = {
  name: "html",
  extension: "html",
  render(report, { rules }) {
    const known = byId(rules);
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(`${conclusion(report)} Touchstone report`)}</title>
<style>${css}</style>
</head>
<body>
${header(report)}
<main>
${overview(report)}
${report.runs.map((run) => section(report, run, known)).join("\n")}
</main>
<footer class="soft"><p>Touchstone ${text(report.tool.version)}${report.command === "" ? "" : ` · <code>${text(report.command)}</code>`}</p></footer>
</body>
</html>
`;
  },
};

function header(report: Report): string {
  const targets = [...new Set(report.runs.map(against))].join(", ");
  const links = report.runs.map(
    (run) => `<li><a href="#${anchor(run)}">${text(`${run.protocol} ${run.version}`)}</a></li>`,
  );
  return `<header>
<h1 class="${report.exitCode === 0 ? "good" : "bad"}">${text(conclusion(report))}</h1>
<p>${text(countsInWords(report.counts))}.</p>
<p class="soft">${text(targets === "" ? "" : `Target: ${targets} · `)}<time datetime="${text(report.started)}">${text(report.started)}</time> · ${(report.durationMs / 1000).toFixed(1)} s</p>
<nav aria-label="Protocols"><ul>${links.join("")}</ul></nav>
</header>`;
}

function overview(report: Report): string {
  const rows = report.runs.map((run): Row => [`${run.protocol} ${run.version}`, run.counts]);
  return table("Vectors by protocol and outcome", "protocol", rows);
}

function section(report: Report, run: Run, rules: ReadonlyMap<string, Rule>): string {
  const id = anchor(run);
  const blocks = explained
    .filter((outcome) => run.counts[outcome] > 0)
    .map((outcome) => block(report, run, outcome, groupsOf(run, outcome, rules)));
  return `<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${text(`${run.protocol} ${run.version}`)} <span class="soft">against ${text(against(run))}</span></h2>
<p>${text(countsInWords(run.counts))}.${run.target.claims === undefined ? "" : ` The target claims: ${text(run.target.claims.join(", ") || "nothing")}.`}</p>
${filterLine(run)}
${run.failure === undefined ? "" : `<p class="bad">Failed at ${text(run.failure.stage)}: ${text(run.failure.message)}</p>`}
${table("By document", "document", byDocument(run).map(toRow))}
${table("By level", "level", byLevel(run).map(toRow))}
${blocks.join("\n")}
${skipped(run, rules)}
${conforming(run)}
</section>`;
}

function filterLine({ filter, results, set }: Run): string {
  const patterns = [
    ...filter.only.map((pattern) => `only ${pattern}`),
    ...filter.skip.map((pattern) => `skip ${pattern}`),
  ];
  const chosen = patterns.length === 0 ? "" : ` · ${patterns.join(" · ")}`;
  return `<p class="soft">${text(`${results.length} of the set's ${some(set.count, "vector")}${chosen} · ${set.digest}`)}</p>`;
}

function block(report: Report, run: Run, outcome: Outcome, groups: Group[]): string {
  return `<h3 class="${tone[outcome]}">${headings[outcome]}: ${run.counts[outcome]} of ${some(run.results.length, "vector")}</h3>
${groups.map((group) => groupDetails(report, run, group)).join("\n")}`;
}

function groupDetails(report: Report, run: Run, { name, rule, results, of }: Group): string {
  const about = rule === undefined ? "" : `${rule.level} · clause ${rule.clause} · `;
  const statement = rule === undefined ? "" : `<p>${text(rule.statement)}</p>`;
  const position = rule?.position === undefined ? "" : `<p class="soft">${text(rule.position)}</p>`;
  return `<details><summary><h4>${text(name)}</h4> <span class="soft">${text(about)}${results.length} of ${some(of, "vector")}</span></summary>
${statement}${position}
${results.map((result) => resultDetails(report, run, result)).join("\n")}
</details>`;
}

function resultDetails(report: Report, run: Run, result: Result): string {
  const told = facts(result).map(([name, said]) => `<dt>${name}</dt><dd>${text(said)}</dd>`);
  const located: [string, string | undefined][] = [
    ["at", result.at],
    ["site", result.site],
    ["fault", result.fault],
  ];
  for (const [name, said] of located) if (said) told.push(`<dt>${name}</dt><dd><code>${text(said)}</code></dd>`);
  if (report.command !== "") {
    told.push(
      `<dt>replay</dt><dd><code class="replay">${text(replay(report.command, run.protocol, result.id))}</code></dd>`,
    );
  }
  const data = result.vector?.data;
  const exchanges = [result.answer?.exchange, ...(result.exchanges ?? [])].filter((each) => each !== undefined);
  return `<details id="${text(result.id)}"><summary><code>${text(result.id)}</code> ${text(result.description)}</summary>
<dl>${told.join("")}</dl>
${data === undefined ? "" : `<pre tabindex="0" aria-label="Instance">${instance(data, result.vector?.change ?? [])}</pre>`}
${exchanges.map(exchange).join("\n")}
</details>`;
}

function exchange({ request, response }: Exchange): string {
  const lines = (headers: Record<string, string>): string[] =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const body = (said: string): string[] => ["", ...cut(said, 4000).split("\n")];
  const asked = [`${request.method} ${request.url}`, ...lines(request.headers), ...body(request.body)];
  const got =
    response === undefined
      ? ["no response"]
      : [`HTTP ${response.status}`, ...lines(response.headers), ...body(response.body)];
  const all = [...asked, "", ...got].map(text).join("\n");
  return `<details><summary>HTTP exchange</summary><pre tabindex="0" aria-label="HTTP exchange">${all}</pre></details>`;
}

function skipped(run: Run, rules: ReadonlyMap<string, Rule>): string {
  if (run.counts.skipped === 0) return "";
  const groups = groupsOf(run, "skipped", rules).map(({ name, results }) => ids(`${results.length}: ${name}`, results));
  return `<h3 class="mid">${headings.skipped}: ${run.counts.skipped} of ${some(run.results.length, "vector")}</h3>\n${groups.join("\n")}`;
}

function conforming(run: Run): string {
  if (run.counts.conforms === 0) return "";
  const lists = byDocument(run).map(([name, results]) => {
    const good = results.filter(({ outcome }) => outcome === "conforms");
    return good.length === 0 ? "" : ids(`${name}: ${good.length} of ${some(results.length, "vector")}`, good);
  });
  return `<h3 class="good">${headings.conforms}: ${run.counts.conforms} of ${some(run.results.length, "vector")}</h3>\n${lists.join("\n")}`;
}

function ids(title: string, results: readonly Result[]): string {
  const items = results.map(({ id }) => `<li>${text(id)}</li>`);
  return `<details><summary>${text(title)}</summary><ul class="ids">${items.join("")}</ul></details>`;
}

type Row = [name: string, counts: Counts];

function toRow([name, results]: [string, Result[]]): Row {
  return [name, count(results)];
}

function table(caption: string, of: string, rows: Row[]): string {
  if (rows.length === 0) return "";
  const total = (counts: Counts): number => outcomes.reduce((all, outcome) => all + counts[outcome], 0);
  const head = ["vectors", ...outcomes].map((name) => `<th scope="col">${name}</th>`).join("");
  const body = rows.map(([name, counts]) => {
    const cells = outcomes.map(
      (outcome) => `<td class="${counts[outcome] === 0 ? "zero" : tone[outcome]}">${counts[outcome]}</td>`,
    );
    return `<tr><th scope="row">${text(name)}</th><td>${total(counts)}</td>${cells.join("")}</tr>`;
  });
  return `<div class="wide"><table><caption>${caption}</caption><thead><tr><th scope="col">${of}</th>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

const tone: Record<Outcome, "good" | "bad" | "mid" | "soft"> = {
  conforms: "good",
  violates: "bad",
  errored: "bad",
  "timed-out": "bad",
  warns: "mid",
  "wrong-reason": "mid",
  disputed: "soft",
  skipped: "soft",
};

function anchor(run: Run): string {
  return text(`run-${run.protocol}-${run.version}`);
}

import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../schemas/index.ts";
import { hostile, reportOf, result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { combine } from "../merging/merged-report.ts";
import { sourceHash } from "./assets.ts";
import { html } from "./page.ts";
import type { PageData } from "./shape.ts";

const exchange = {
  request: {
    method: "POST",
    url: "http://localhost:1/v1",
    headers: { "content-type": "application/json" },
    body: "{}",
  },
  response: { status: 202, headers: {}, body: '{"ok":true}' },
};
const report = reportOf([
  result({ id: "sample/1.0/note/valid/a" }),
  violatedResult("sample/1.0/note/invalid/b", { answer: { verdict: "accepted", reasons: [], exchange } }),
  violatedResult("sample/1.0/note/invalid/c", {
    vector: { data: { due: 1 }, change: [{ op: "remove", path: "/title" }] },
  }),
]);
const page = html.render(report, { rules });

/** The text after `openElements`, up to the next `close`. */
function textBetween(text: string, openElements: string, close: string): string {
  const start = text.indexOf(openElements) + openElements.length;
  return text.slice(start, text.indexOf(close, start));
}

function dataOf(text: string): PageData {
  const gzip = '<script type="application/gzip" id="data">';
  if (text.includes(gzip))
    return JSON.parse(gunzipSync(Buffer.from(textBetween(text, gzip, "</script>"), "base64")).toString());
  return JSON.parse(textBetween(text, '<script type="application/json" id="data">', "</script>"));
}

/** The parts that a browser parses as markup, without the content of styles and scripts. */
function markupOf(text: string): string {
  return text.replace(/<(style|script)([^>]*)>[\s\S]*?<\/\1>/g, "<$1$2></$1>");
}

describe("the markup of the page", () => {
  it("allows only its style and script, by digest", () => {
    const policy = textBetween(page, 'http-equiv="Content-Security-Policy" content="', '"').split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src ${sourceHash(textBetween(page, "<style>", "</style>"))}`);
    expect(policy).toContain(`script-src ${sourceHash(textBetween(page, "<script>", "</script>"))}`);
    expect(policy.join()).not.toContain("unsafe");
  });

  it("sends no requests", () => {
    expect(markupOf(page)).not.toMatch(/<link|<img|<iframe|\ssrc=|href="(?!#)|\sstyle=|\son[a-z]+=/i);
    expect(textBetween(page, "<style>", "</style>")).not.toMatch(/@import|url\(/);
  });

  it("shows counts by document and level, with totals", () => {
    for (const [caption, name] of [
      ["By document", "note"],
      ["By level", "MUST"],
    ]) {
      const table = textBetween(page, `<caption>${caption}</caption>`, "</table>").replace(/ data-go="[^"]*"/g, "");
      expect(table).toContain(
        `<tr><th scope="row">${name}</th><td class="good" data-label="conforms">1</td><td class="bad" data-label="violates">2</td><td data-label="in all">3</td></tr>`,
      );
    }
    expect(markupOf(page)).not.toMatch(/\d\s?%/);
  });

  it("names the failing rules with their statements", () => {
    const causes = textBetween(page, '<ul class="causes">', "</ul>");
    expect(causes).toMatch(/S-1<\/strong>.*MUST · clause 4\.2 · 2 of 2 vectors/);
    expect(causes).toContain("<p>A title has at least one character.</p>");
  });

  it("shows failures before the tables, with a link from the first rules to all failures", () => {
    expect(page.indexOf("Where it fails")).toBeLessThan(page.indexOf("Documents by kind of fault"));
    expect(page).not.toContain("all failures");
    const manyResults = Array.from({ length: 9 }, (_, index) => violatedResult(`v/${index}`, { rule: `S-${index}` }));
    expect(html.render(reportOf(manyResults), { rules })).toMatch(
      /And 1 more: <span data-go="protocol=sample\+1\.0&amp;target=0&amp;outcome=violates&amp;outcome=errored[^"]*">all failures/,
    );
  });

  it("lists warnings separately, after the failures", () => {
    const warning = violatedResult("sample/1.0/note/invalid/w", { outcome: "warns", rule: "S-2" });
    const pageWithBoth = html.render(reportOf([warning, violatedResult("sample/1.0/note/invalid/b")]), { rules });
    expect(textBetween(pageWithBoth, "Where it fails", "</ul>")).not.toContain("△");
    expect(textBetween(pageWithBoth, "<h3>Warnings</h3>", "</ul>")).toMatch(/△.*S-2/);
    expect(html.render(reportOf([warning]), { rules })).not.toContain("Where it fails");
  });

  it("says once how much of the matrix was skipped entirely", () => {
    const skipped = (id: string, document: string) => result({ id, document, outcome: "skipped", why: "no clock" });
    const noteResults = [result({ id: "sample/1.0/note/valid/a" }), skipped("sample/1.0/note/raw/b", "note")];
    const text = html.render(reportOf([...noteResults, skipped("sample/1.0/list/valid/c", "list")]), { rules });
    expect(text).toContain("were skipped</span>: 1 document and 1 kind of fault.");
    expect(page).not.toContain("Not shown, because");
  });

  it("names a shared vector set once, and different sets for each implementation", () => {
    const runOf = (name: string, digest?: string) =>
      report.runs.map((run) => ({
        ...run,
        target: { kind: "module", name },
        set: { ...run.set, ...(digest && { digest }) },
      }));
    const countSets = (...runs: Report["runs"]) =>
      markupOf(html.render({ ...report, runs }, { rules })).match(/vector set sha/g)?.length;
    expect(countSets(...runOf("one"), ...runOf("two"))).toBe(1);
    expect(countSets(...runOf("one"), ...runOf("two", "sha256-other"))).toBe(2);
  });

  it("shows each failure, its reason, and the command that repeats it, without a script", () => {
    const plainPart = textBetween(page, '<section id="plain">', "</section>\n</div>");
    expect(plainPart).toContain("Violations: 2 of 3 vectors");
    expect(plainPart).toContain("<code>sample/1.0/note/invalid/b</code>");
    expect(plainPart).toContain("<dd>accepted (HTTP 202)</dd>");
    expect(plainPart).toContain("replay sample/1.0/note/invalid/b --http http://localhost:1</dd>");
  });

  it("says how many failures are left out without a script", () => {
    const manyFailures = Array.from({ length: 503 }, (_, index) => violatedResult(`sample/1.0/note/invalid/${index}`));
    const plainPart = textBetween(
      html.render(reportOf(manyFailures), { rules }),
      '<section id="plain">',
      "</section>\n</div>",
    );
    expect(plainPart.match(/<details>/g)).toHaveLength(500);
    expect(plainPart).toContain("3 more are shown with a script");
  });

  it("closes every element that it opens", () => {
    const open: string[] = [];
    for (const [, slash, name, rest] of markupOf(page).matchAll(/<(\/?)([a-z][a-z0-9]*)\b([^>]*)>/g)) {
      if (["meta", "br"].includes(name as string) || rest?.endsWith("/")) continue;
      if (slash === "") open.push(name as string);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});

describe("the notices at the top of a page", () => {
  const headOf = (text: string): string => text.slice(text.indexOf('<div id="head">'), text.indexOf("<h1"));

  it("are empty if all is well", () => expect(headOf(page)).not.toContain("notices"));

  it("say that a run is partial", () => {
    const partial = html.render({ ...report, complete: false }, { rules });
    expect(headOf(partial)).toContain(
      "Not every vector has its outcome. sample 1.0 against http://localhost:1: 3 of the set&#39;s 3 vectors",
    );
  });

  it("say how many vectors were run, and how many skipped", () => {
    const partial = structuredClone({ ...report, complete: false });
    Object.assign(partial.runs[0]?.results[0] as object, { outcome: "skipped" });
    expect(headOf(html.render(partial, { rules }))).toContain("2 of the set&#39;s 3 vectors · 1 skipped");
  });

  it("say that a run failed, and at which stage", () => {
    const failedReport = structuredClone(report);
    Object.assign(failedReport.runs[0] as object, { failure: { stage: "open", message: "no server\n  start it" } });
    expect(headOf(html.render(failedReport, { rules }))).toMatch(
      /could not be run against http:.*At open: no server<br> {2}start it/,
    );
  });

  it("say that implementations were tested with different vectors", () => {
    const twoRuns = { ...report, runs: [...report.runs, ...structuredClone(report.runs)] };
    expect(headOf(html.render(twoRuns, { rules }))).not.toContain("different sets");
    Object.assign(twoRuns.runs[1] as object, { set: { digest: "sha256-y", count: 3 } });
    expect(headOf(html.render(twoRuns, { rules }))).toContain("different vector sets");
  });

  it("name a fault of the baseline", () => {
    const findings = [{ kind: "stale" as const, name: "S-9", what: "it passes now" }];
    const text = html.render({ ...report, baseline: { file: "b.json", known: 1, findings } }, { rules });
    expect(headOf(text)).toContain("Baseline, stale: S-9");
  });
});

describe("several implementations of one protocol", () => {
  const otherReport = reportOf(
    [
      result({ id: "sample/1.0/note/valid/a" }),
      result({
        id: "sample/1.0/note/invalid/b",
        description: "the title is empty",
        verdict: "invalid",
        rule: "S-1",
        at: "/title",
      }),
      result({ id: "sample/1.0/list/valid/d", document: "list" }),
    ],
    { command: "npx touchstone run sample --module other.mjs" },
  );
  const runs = otherReport.runs.map((run) => ({ ...run, target: { kind: "module", name: "other" } }));
  const text = html.render(combine([report, { ...otherReport, runs }]), { rules });

  it("are compared for each document", () => {
    const table = textBetween(text, "<caption>Implementations by document</caption>", "</table>").replace(
      / data-go="[^"]*"/g,
      "",
    );
    const noteRow = textBetween(table, '<th scope="row">note</th>', "</tr>");
    expect(noteRow).toMatch(/✕ 2 <span class="soft">of 3<\/span> violate.*✓ 2 <span class="soft">of 2<\/span> conform/);
    expect(textBetween(table, '<th scope="row">list</th>', "</tr>")).toMatch(
      /not run<\/td>.*✓ 1 <span class="soft">of 1<\/span> conforms/,
    );
  });

  it("share identical vectors as rows of the data", () => {
    const [group] = dataOf(text).groups;
    expect(group?.vectors.map(([id]) => id)).toEqual([
      "note/valid/a",
      "note/invalid/b",
      "note/invalid/c",
      "list/valid/d",
    ]);
    expect(group?.runs.map(({ outcomes }) => outcomes)).toEqual(["800-", "88-8"]);
  });

  it("have the command that repeats each run", () => {
    expect(dataOf(text).groups[0]?.runs.map(({ replay }) => replay)).toEqual([
      "npx touchstone replay --http http://localhost:1 ",
      "npx touchstone replay --module other.mjs ",
    ]);
    expect(dataOf(html.render({ ...report, command: "" }, { rules })).groups[0]?.runs[0]?.replay).toBeUndefined();
  });
});

describe("a report of random messages", () => {
  const command = "npx touchstone fuzz sample --module mine.mjs --seed 7";
  const report = reportOf([violatedResult("sample/1.0/note/invalid/fuzz/7/12:3")], { command });

  it("never calls the target conforming, and names the rules that were not reached", () => {
    const fuzzReport: Report = {
      ...reportOf([result({ id: "sample/1.0/note/valid/fuzz/7/1" })]),
      options: { verb: "fuzz", protocol: "sample", target: { kind: "reference" } },
    };
    const text = html.render(fuzzReport, { rules });
    expect(text).toContain("0 of 1 rules that vectors show were reached; not S-1");
    expect(text).not.toMatch(/Conforms: no vector/);
  });

  it("has a command for each message, with its path", () => {
    const run = dataOf(html.render(report, { rules })).groups[0]?.runs[0];
    expect(run?.replay).toBeUndefined();
    expect(run?.details[0]?.replay).toBe(`${command} --document note --path 12:3`);
  });
});

describe("the data", () => {
  it("stores conforming results in a few bytes each, and repeated texts once", () => {
    const site = `https://example.org/${"x".repeat(200)}`;
    const manyResults = Array.from({ length: 20_000 }, (_, index) =>
      result({ id: `sample/1.0/note/valid/${index}`, description: `note ${index}`, rule: "S-1", site }),
    );
    const text = html.render(reportOf(manyResults), { rules });
    expect((text.length - html.render(reportOf([]), { rules }).length) / manyResults.length).toBeLessThan(70);
    expect(dataOf(text).texts.filter((text) => text === site)).toHaveLength(1);
  });

  it("has the request, the response and the change of other results", () => {
    const { groups, texts } = dataOf(page);
    const detail = groups[0]?.runs[0]?.details[1];
    expect(detail?.change).toBe('replace /title by ""');
    const [[request = -1, requestBody, response = -1, responseBody] = []] = detail?.exchanges ?? [];
    expect([texts[request], requestBody]).toEqual(["POST http://localhost:1/v1\ncontent-type: application/json", "{}"]);
    expect([texts[response], responseBody]).toEqual(["HTTP 202", '{"ok":true}']);
  });

  it("has the messages between the parties, with invisible characters escaped", () => {
    const trace = [
      { from: "suite", to: "producer", text: '{"type":"reply"}' },
      { from: "producer", to: "suite", text: "done\u202e\nnow" },
    ];
    const playedScenario = { ...violatedResult("sample/1.0/scenarios/story/S-1"), kind: "scenario" as const, trace };
    const detail = dataOf(html.render(reportOf([playedScenario]), { rules })).groups[0]?.runs[0]?.details[0];
    expect(detail?.trace).toEqual([
      ["suite", "producer", '{"type":"reply"}'],
      ["producer", "suite", "done\\u202e\nnow"],
    ]);
  });

  it("has each protocol's rules, including untested ones", () => {
    const sampleReport = reportOf([violatedResult("sample/1.0/note/invalid/b")]);
    const [run] = sampleReport.runs;
    const otherRuns = reportOf([violatedResult("other/1.0/note/invalid/b", { rule: "O-1" })]).runs.map((each) => ({
      ...each,
      protocol: "other",
    }));
    const otherRules = ["O-1", "O-2"].map((id) => ({
      ...(rules[0] as (typeof rules)[number]),
      id,
      status: { planned: "later" },
    }));
    const data = dataOf(
      html.render(
        { ...sampleReport, runs: run === undefined ? [] : [run, ...otherRuns] },
        { rules: [...rules, ...otherRules] },
      ),
    );
    expect(data.groups.map(({ rules }) => rules.map(({ id, status }) => [id, status]))).toEqual([
      [["S-1", undefined]],
      [
        ["O-1", "planned: later"],
        ["O-2", "planned: later"],
      ],
    ]);
  });
});

it("escapes texts from outside, so that none becomes markup", () => {
  const output = { method: hostile, url: hostile, headers: { [hostile]: hostile }, body: hostile };
  const hostileResult = violatedResult(`id"${hostile}`, {
    description: hostile,
    rule: hostile,
    document: hostile,
    fault: hostile,
    site: hostile,
    at: `/${hostile}`,
    why: hostile,
    answer: { verdict: "accepted", reasons: [], exchange: { request: output, response: { ...output, status: 200 } } },
    vector: {
      data: { [hostile]: [hostile], ["__proto__"]: 1 },
      raw: hostile,
      change: [
        { op: "replace", path: `/${hostile}`, value: hostile },
        { op: "remove", path: `/x${hostile}` },
      ],
    },
  });
  const results = [hostileResult, result({ id: hostile }), result({ id: "s", outcome: "skipped", why: hostile })];
  const report = reportOf(results, { command: hostile });
  Object.assign(report.runs[0] as object, {
    protocol: hostile,
    failure: { stage: hostile, message: hostile },
    target: { kind: "http", name: hostile, claims: [hostile] },
    filter: { only: [hostile], skip: [hostile] },
  });
  const text = html.render(report, {
    rules: [{ ...(rules[0] as (typeof rules)[number]), statement: `\`${hostile}\`` }],
  });
  expect(text).toContain("&lt;/script&gt;&lt;img");
  expect(text).not.toMatch(/<img|\u001b|\u202e/);
  expect(text.match(/<\/?script/g)).toHaveLength(4);
  expect(textBetween(text, 'id="data">', "</script>")).not.toContain("<");
  expect(text).not.toMatch(/="[^"]*<img/);
});

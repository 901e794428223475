import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../schemas/index.ts";
import { hostile, reportOf, result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { combine } from "../merging/merged-report.ts";
import { digest } from "./assets.ts";
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

/** The content of the only element of that kind. */
function content(text: string, open: string, close: string): string {
  const begin = text.indexOf(open) + open.length;
  return text.slice(begin, text.indexOf(close, begin));
}

function dataOf(text: string): PageData {
  const gzip = '<script type="application/gzip" id="data">';
  if (text.includes(gzip))
    return JSON.parse(gunzipSync(Buffer.from(content(text, gzip, "</script>"), "base64")).toString());
  return JSON.parse(content(text, '<script type="application/json" id="data">', "</script>"));
}

/** The parts that a browser parses as markup: not the style, the data and the script, which are only text to it. */
function markup(text: string): string {
  return text.replace(/<(style|script)([^>]*)>[\s\S]*?<\/\1>/g, "<$1$2></$1>");
}

describe("the page as written", () => {
  it("allows its own style and script by digest, and nothing else", () => {
    const policy = content(page, 'http-equiv="Content-Security-Policy" content="', '"').split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src ${digest(content(page, "<style>", "</style>"))}`);
    expect(policy).toContain(`script-src ${digest(content(page, "<script>", "</script>"))}`);
    expect(policy.join()).not.toContain("unsafe");
  });

  it("sends no requests", () => {
    expect(markup(page)).not.toMatch(/<link|<img|<iframe|\ssrc=|href="(?!#)|\sstyle=|\son[a-z]+=/i);
    expect(content(page, "<style>", "</style>")).not.toMatch(/@import|url\(/);
  });

  it("counts by document and level, with the total beside each part", () => {
    for (const [caption, name] of [
      ["By document", "note"],
      ["By level", "MUST"],
    ]) {
      const table = content(page, `<caption>${caption}</caption>`, "</table>").replace(/ data-go="[^"]*"/g, "");
      expect(table).toContain(
        `<tr><th scope="row">${name}</th><td class="good" data-label="conforms">1</td><td class="bad" data-label="violates">2</td><td data-label="in all">3</td></tr>`,
      );
    }
    expect(markup(page)).not.toMatch(/\d\s?%/);
  });

  it("names the failing rules with their statements", () => {
    const causes = content(page, '<ul class="causes">', "</ul>");
    expect(causes).toMatch(/S-1<\/strong>.*MUST · clause 4\.2 · 2 of 2 vectors/);
    expect(causes).toContain("<p>A title has at least one character.</p>");
  });

  it("has failures before the tables, and links the first rules to all failures", () => {
    expect(page.indexOf("Where it fails")).toBeLessThan(page.indexOf("Documents by kind of fault"));
    expect(page).not.toContain("all failures");
    const many = Array.from({ length: 9 }, (_, index) => violatedResult(`v/${index}`, { rule: `S-${index}` }));
    expect(html.render(reportOf(many), { rules })).toMatch(
      /And 1 more: <span data-go="protocol=sample\+1\.0&amp;target=0&amp;outcome=violates&amp;outcome=errored[^"]*">all failures/,
    );
  });

  it("has warnings after failures, in a separate list", () => {
    const mild = violatedResult("sample/1.0/note/invalid/w", { outcome: "warns", rule: "S-2" });
    const both = html.render(reportOf([mild, violatedResult("sample/1.0/note/invalid/b")]), { rules });
    expect(content(both, "Where it fails", "</ul>")).not.toContain("△");
    expect(content(both, "<h3>Warnings</h3>", "</ul>")).toMatch(/△.*S-2/);
    expect(html.render(reportOf([mild]), { rules })).not.toContain("Where it fails");
  });

  it("says once how much of the matrix was skipped entirely", () => {
    const skipped = (id: string, document: string) => result({ id, document, outcome: "skipped", why: "no clock" });
    const some = [result({ id: "sample/1.0/note/valid/a" }), skipped("sample/1.0/note/raw/b", "note")];
    const text = html.render(reportOf([...some, skipped("sample/1.0/list/valid/c", "list")]), { rules });
    expect(text).toContain("were skipped</span>: 1 document and 1 kind of fault.");
    expect(page).not.toContain("Not shown, because");
  });

  it("names a vector set once if several implementations share it, and otherwise each set", () => {
    const runOf = (name: string, digest?: string) =>
      report.runs.map((run) => ({
        ...run,
        target: { kind: "module", name },
        set: { ...run.set, ...(digest && { digest }) },
      }));
    const sets = (...runs: Report["runs"]) =>
      markup(html.render({ ...report, runs }, { rules })).match(/vector set sha/g)?.length;
    expect(sets(...runOf("one"), ...runOf("two"))).toBe(1);
    expect(sets(...runOf("one"), ...runOf("two", "sha256-other"))).toBe(2);
  });

  it("is readable without a script: each failure, why, and how to repeat it", () => {
    const plain = content(page, '<section id="plain">', "</section>\n</div>");
    expect(plain).toContain("Violations: 2 of 3 vectors");
    expect(plain).toContain("<code>sample/1.0/note/invalid/b</code>");
    expect(plain).toContain("<dd>accepted (HTTP 202)</dd>");
    expect(plain).toContain("replay sample/1.0/note/invalid/b --http http://localhost:1</dd>");
  });

  it("says how many failures are left out without a script", () => {
    const many = Array.from({ length: 503 }, (_, index) => violatedResult(`sample/1.0/note/invalid/${index}`));
    const plain = content(html.render(reportOf(many), { rules }), '<section id="plain">', "</section>\n</div>");
    expect(plain.match(/<details>/g)).toHaveLength(500);
    expect(plain).toContain("3 more are shown with a script");
  });

  it("closes every element that it opens", () => {
    const open: string[] = [];
    for (const [, slash, name, rest] of markup(page).matchAll(/<(\/?)([a-z][a-z0-9]*)\b([^>]*)>/g)) {
      if (["meta", "br"].includes(name as string) || rest?.endsWith("/")) continue;
      if (slash === "") open.push(name as string);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});

describe("the first lines of a page", () => {
  const top = (text: string): string => text.slice(text.indexOf('<div id="head">'), text.indexOf("<h1"));

  it("are empty if all is well", () => expect(top(page)).not.toContain("notices"));

  it("say that a run is partial", () => {
    const partial = html.render({ ...report, complete: false }, { rules });
    expect(top(partial)).toContain(
      "Not every vector has its outcome. sample 1.0 against http://localhost:1: 3 of the set&#39;s 3 vectors",
    );
  });

  it("say how many vectors were run, and how many skipped", () => {
    const partial = structuredClone({ ...report, complete: false });
    Object.assign(partial.runs[0]?.results[0] as object, { outcome: "skipped" });
    expect(top(html.render(partial, { rules }))).toContain("2 of the set&#39;s 3 vectors · 1 skipped");
  });

  it("say that a run failed, and at which stage", () => {
    const failed = structuredClone(report);
    Object.assign(failed.runs[0] as object, { failure: { stage: "open", message: "no server\n  start it" } });
    expect(top(html.render(failed, { rules }))).toMatch(
      /could not be run against http:.*At open: no server<br> {2}start it/,
    );
  });

  it("say that implementations were tested with different vectors", () => {
    const both = { ...report, runs: [...report.runs, ...structuredClone(report.runs)] };
    expect(top(html.render(both, { rules }))).not.toContain("different sets");
    Object.assign(both.runs[1] as object, { set: { digest: "sha256-y", count: 3 } });
    expect(top(html.render(both, { rules }))).toContain("different vector sets");
  });

  it("name a fault of the baseline", () => {
    const findings = [{ kind: "stale" as const, name: "S-9", what: "it passes now" }];
    const text = html.render({ ...report, baseline: { file: "b.json", known: 1, findings } }, { rules });
    expect(top(text)).toContain("Baseline, stale: S-9");
  });
});

describe("several implementations of one protocol", () => {
  const other = reportOf(
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
  const runs = other.runs.map((run) => ({ ...run, target: { kind: "module", name: "other" } }));
  const text = html.render(combine([report, { ...other, runs }]), { rules });

  it("are compared for each document", () => {
    const table = content(text, "<caption>Implementations by document</caption>", "</table>").replace(
      / data-go="[^"]*"/g,
      "",
    );
    const note = content(table, '<th scope="row">note</th>', "</tr>");
    expect(note).toMatch(/✕ 2 <span class="soft">of 3<\/span> violate.*✓ 2 <span class="soft">of 2<\/span> conform/);
    expect(content(table, '<th scope="row">list</th>', "</tr>")).toMatch(
      /not run<\/td>.*✓ 1 <span class="soft">of 1<\/span> conforms/,
    );
  });

  it("share their vectors in the data, and their rows if they are the same", () => {
    const [group] = dataOf(text).groups;
    expect(group?.vectors.map(([id]) => id)).toEqual([
      "note/valid/a",
      "note/invalid/b",
      "note/invalid/c",
      "list/valid/d",
    ]);
    expect(group?.runs.map(({ outcomes }) => outcomes)).toEqual(["800-", "88-8"]);
  });

  it("each have the command that repeats it", () => {
    expect(dataOf(text).groups[0]?.runs.map(({ replay }) => replay)).toEqual([
      "npx touchstone replay --http http://localhost:1 ",
      "npx touchstone replay --module other.mjs ",
    ]);
    expect(dataOf(html.render({ ...report, command: "" }, { rules })).groups[0]?.runs[0]?.replay).toBeUndefined();
  });
});

describe("drawn messages", () => {
  const command = "npx touchstone fuzz sample --module mine.mjs --seed 7";
  const report = reportOf([violatedResult("sample/1.0/note/invalid/fuzz/7/12:3")], { command });

  it("never conforms, and names the rules that it did not reach", () => {
    const drawn: Report = {
      ...reportOf([result({ id: "sample/1.0/note/valid/fuzz/7/1" })]),
      options: { verb: "fuzz", protocol: "sample", target: { kind: "reference" } },
    };
    const text = html.render(drawn, { rules });
    expect(text).toContain("0 of 1 rules that vectors show were reached; not S-1");
    expect(text).not.toMatch(/Conforms: no vector/);
  });

  it("has the command of each message, with its path", () => {
    const run = dataOf(html.render(report, { rules })).groups[0]?.runs[0];
    expect(run?.replay).toBeUndefined();
    expect(run?.details[0]?.replay).toBe(`${command} --document note --path 12:3`);
  });
});

describe("the data", () => {
  it("stores conforming results in a few bytes, each once", () => {
    const site = `https://example.org/${"x".repeat(200)}`;
    const many = Array.from({ length: 20_000 }, (_, index) =>
      result({ id: `sample/1.0/note/valid/${index}`, description: `note ${index}`, rule: "S-1", site }),
    );
    const text = html.render(reportOf(many), { rules });
    expect((text.length - html.render(reportOf([]), { rules }).length) / many.length).toBeLessThan(70);
    expect(dataOf(text).texts.filter((each) => each === site)).toHaveLength(1);
  });

  it("has the request, the response and the change of other results", () => {
    const { groups, texts } = dataOf(page);
    const detail = groups[0]?.runs[0]?.details[1];
    expect(detail?.change).toBe('replace /title by ""');
    const [[request = -1, asked, response = -1, got] = []] = detail?.exchanges ?? [];
    expect([texts[request], asked]).toEqual(["POST http://localhost:1/v1\ncontent-type: application/json", "{}"]);
    expect([texts[response], got]).toEqual(["HTTP 202", '{"ok":true}']);
  });

  it("has the messages between the parties, with no invisible characters", () => {
    const trace = [
      { from: "suite", to: "producer", text: '{"type":"reply"}' },
      { from: "producer", to: "suite", text: "done\u202e\nnow" },
    ];
    const played = { ...violatedResult("sample/1.0/scenarios/story/S-1"), kind: "scenario" as const, trace };
    const detail = dataOf(html.render(reportOf([played]), { rules })).groups[0]?.runs[0]?.details[0];
    expect(detail?.trace).toEqual([
      ["suite", "producer", '{"type":"reply"}'],
      ["producer", "suite", "done\\u202e\nnow"],
    ]);
  });

  it("has each protocol's rules, including untested ones", () => {
    const two = reportOf([violatedResult("sample/1.0/note/invalid/b")]);
    const [run] = two.runs;
    const others = reportOf([violatedResult("other/1.0/note/invalid/b", { rule: "O-1" })]).runs.map((each) => ({
      ...each,
      protocol: "other",
    }));
    const more = ["O-1", "O-2"].map((id) => ({
      ...(rules[0] as (typeof rules)[number]),
      id,
      status: { planned: "later" },
    }));
    const data = dataOf(
      html.render({ ...two, runs: run === undefined ? [] : [run, ...others] }, { rules: [...rules, ...more] }),
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

it("lets no text from outside become markup", () => {
  const output = { method: hostile, url: hostile, headers: { [hostile]: hostile }, body: hostile };
  const wild = violatedResult(`id"${hostile}`, {
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
  const all = [wild, result({ id: hostile }), result({ id: "s", outcome: "skipped", why: hostile })];
  const report = reportOf(all, { command: hostile });
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
  expect(content(text, 'id="data">', "</script>")).not.toContain("<");
  expect(text).not.toMatch(/="[^"]*<img/);
});

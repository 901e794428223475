import { describe, expect, it } from "vitest";
import { html } from "./page.ts";
import { hostile, reportOf, result, rules, violated } from "../sample.fixture.ts";

describe("html", () => {
  const exchange = {
    request: {
      method: "POST",
      url: "http://localhost:1/v1",
      headers: { "content-type": "application/json" },
      body: "{}",
    },
    response: { status: 202, headers: {}, body: '{"ok":true}' },
  };
  const page = html.render(
    reportOf([
      result({ id: "sample/1.0/note/valid/a" }),
      violated("sample/1.0/note/invalid/b", { answer: { verdict: "accepted", reasons: [], exchange } }),
      violated("sample/1.0/note/invalid/c", {
        vector: { data: { due: 1 }, change: [{ op: "remove", path: "/title" }] },
      }),
    ]),
    { rules },
  );

  it("is one page that asks for nothing and runs nothing", () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|@import|url\(|href="(?!#)/i);
    expect(page).toContain("prefers-color-scheme: dark");
  });

  it("counts by protocol, document and level", () => {
    for (const caption of ["Vectors by protocol and outcome", "By document", "By level"]) {
      const table = page.slice(page.indexOf(`<caption>${caption}`));
      expect(table).toMatch(
        /^.*?<th scope="row">(sample 1\.0|note|MUST)<\/th><td>3<\/td><td class="good">1<\/td><td class="bad">2<\/td>/,
      );
    }
  });

  it("groups by rule, with what the rule demands", () => {
    expect(page).toMatch(/<h4>S-1<\/h4>.*MUST · clause 4\.2 · 2 of 2 vectors/);
    expect(page).toContain("<p>A title has at least one character.</p>");
  });

  it("shows the instance with the changed member marked, and a removed one told", () => {
    expect(page).toContain(`{\n  &quot;title&quot;: <mark>&quot;&quot;</mark>,\n  &quot;due&quot;: 1\n}`);
    expect(page).toContain(`{\n  &quot;due&quot;: 1\n  <del>&quot;title&quot; removed</del>\n}`);
  });

  it("shows the exchange and how to repeat it", () => {
    expect(page).toContain("POST http://localhost:1/v1\ncontent-type: application/json\n\n{}\n\nHTTP 202");
    expect(page).toContain("<dd>accepted (HTTP 202)</dd>");
    expect(page).toContain("run sample --http http://localhost:1 --only sample/1.0/note/invalid/b</code>");
  });

  it("lists what conforms by document, and gives each failing vector an anchor", () => {
    expect(page).toContain("<summary>note: 1 of 3 vectors</summary>");
    expect(page).toContain("<li>sample/1.0/note/valid/a</li>");
    expect(page).toContain('<details id="sample/1.0/note/invalid/b">');
  });

  it("closes every element that it opens", () => {
    const open: string[] = [];
    for (const [, slash, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (name === "meta") continue;
      if (slash === "") open.push(name as string);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  it("lets nothing that was said become markup", () => {
    const said = { method: hostile, url: hostile, headers: { [hostile]: hostile }, body: hostile };
    const wild = violated(`id"${hostile}`, {
      description: hostile,
      rule: hostile,
      document: hostile,
      fault: hostile,
      site: hostile,
      at: `/${hostile}`,
      why: hostile,
      answer: { verdict: "accepted", reasons: [], exchange: { request: said, response: { ...said, status: 200 } } },
      vector: {
        data: { [hostile]: [hostile], ["__proto__"]: 1 },
        raw: hostile,
        change: [
          { op: "replace", path: `/${hostile}`, value: hostile },
          { op: "remove", path: `/x${hostile}` },
        ],
      },
    });
    const report = reportOf([wild, result({ id: hostile }), result({ id: "s", outcome: "skipped", why: hostile })], {
      command: hostile,
    });
    Object.assign(report.runs[0] as object, {
      protocol: hostile,
      failure: { stage: hostile, message: hostile },
      target: { kind: "http", name: hostile, claims: [hostile] },
      filter: { only: [hostile], skip: [hostile] },
    });
    const text = html.render(report, { rules: [] });
    expect(text).toContain("&lt;/script&gt;&lt;img");
    expect(text).not.toMatch(/<\/?script|<img|\u001b|\u202e/);
    expect(text).not.toMatch(/="[^"]*<img/);
  });

  it("prints deep, long and empty values without choking on them", () => {
    const deep = JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`);
    const data = { deep, long: "x".repeat(100_000), none: {}, list: [] };
    const text = html.render(reportOf([violated("v", { vector: { data, change: [] } })]), { rules });
    expect(text).toContain("&quot;none&quot;: {},");
    expect(text).toContain("&quot;list&quot;: []");
    expect(text.length).toBeLessThan(50_000);
  });
});

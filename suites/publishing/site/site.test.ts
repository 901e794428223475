import { describe, expect, it } from "vitest";
import type { Report, Result } from "../../../schemas/index.ts";
import { json } from "../../reports/json.ts";
import { hostile, reportOf, result, rules, validReport, violatedResult } from "../../results/sample.fixture.ts";
import { renderSite } from "./site.ts";
import type { Certificate, Files, SiteEntry } from "./types.ts";

const id = "sample/1.0/note/valid/good";
const passingReport = reportOf([result({ id }), result({ id: `${id}/2`, outcome: "skipped", why: "not claimed" })]);
const failingReport = reportOf([violatedResult(id)]);

function entry(report: Report, name: string, release: string, certificate?: Certificate): SiteEntry {
  return {
    implementation: { name, release },
    report,
    download: { text: json.render(report, { rules: [] }), extension: "json" },
    ...(certificate === undefined ? {} : { certificate }),
  };
}

function page(files: Files, path: string): string {
  const text = files.get(path);
  expect([...files.keys()]).toContain(path);
  return text ?? "";
}

const releasePageOf = (report: Report): string =>
  page(renderSite([entry(report, "hub", "1.0")], rules), "hub/1.0/index.html");

describe("the state of a run", () => {
  const partialReport: Report = {
    ...passingReport,
    runs: passingReport.runs.map((run) => ({ ...run, filter: { only: ["a/**"], skip: [] } })),
  };
  const fuzzReport: Report = {
    ...passingReport,
    options: { verb: "fuzz", protocol: "sample", target: { kind: "reference" } },
  };
  const knownFailures: Result[] = [result({ id: `${id}/2` }), violatedResult(id, { known: "failing" })];

  it.each<[string, Report, string, string]>([
    ["a whole run", passingReport, "conforms", "1 of 1 run conform; 1 skipped"],
    ["a violation", failingReport, "does not conform", "1 violation in 1"],
    ["a violation that a baseline knows", reportOf(knownFailures), "does not conform", "1 violation in 2"],
    ["a partial run", partialReport, "not shown to conform", "not the whole: only a/** was run"],
    ["a run that ended early", { ...passingReport, complete: false }, "not shown to conform", "did not finish"],
    ["no answer", reportOf([result({ id, outcome: "timed-out" })]), "not shown to conform", "1 of 1 without a usable"],
    ["only disputed", reportOf([result({ id, outcome: "disputed" })]), "not shown to conform", "no vector was decided"],
    ["random vectors", fuzzReport, "not shown to conform", "drawn at random only"],
  ])("is shown on the page and the badge: %s", (_, report, state, summary) => {
    const text = releasePageOf(report);
    expect(text).toContain(`</span> ${state}</strong>`);
    expect(text).toContain(summary);
    const badge = page(renderSite([entry(report, "hub", "1.0")], rules), "hub/sample~1.0.svg");
    expect(badge.includes("#1b6e45"), "green").toBe(state === "conforms");
  });
});

describe("a site", () => {
  const entries = [
    entry(failingReport, "hub", "1.9"),
    entry(passingReport, "hub", "1.10"),
    entry(passingReport, "Other", "2.0"),
    entry(passingReport, "hub", "1.10-rc.1"),
  ];

  it("contains a page, badges and a download for each release, and no broken link", () => {
    const files = renderSite(entries, rules);
    expect(
      [...files.keys()]
        .filter((path) => path.startsWith("hub/1.9/"))
        .map((path) => path.replace(/-[0-9a-f]{16}/, "-X")),
    ).toEqual(["hub/1.9/index.html", "hub/1.9/sample~1.0.svg", "hub/1.9/report-X.json"]);
    for (const [path, text] of files)
      for (const [, address] of text.matchAll(/(?:href|src)="([^"]+)"/g))
        if (!path.endsWith(".json") && !path.endsWith(".svg"))
          expect([...files.keys()]).toContain(new URL(address as string, `http://host/${path}`).pathname.slice(1));
  });

  it("does not depend on the order of the reports, or on duplicates", () => {
    const reordered = renderSite([...entries, entries[0] as SiteEntry].reverse(), rules);
    expect([...reordered].sort()).toEqual([...renderSite(entries, rules)].sort());
  });

  it("lists releases by version, the last first, and compares each with the one before", () => {
    const text = page(renderSite(entries, rules), "hub/index.html");
    const trend = text.slice(text.indexOf("release by release"));
    expect([...trend.matchAll(/<th scope="row"><a href="([^"/]+)/g)].map(([, release]) => release)).toEqual([
      "1.10",
      "1.10-rc.1",
      "1.9",
    ]);
    expect(trend).toContain('<summary class="good">1 is fixed</summary>');
    expect(text).toContain('aria-label="Results that fail, by release"');
  });

  it("shows the last run of a release, and the earlier ones below", () => {
    const earlierRun = entry({ ...failingReport, started: "2026-01-01T00:00:00.000Z" }, "hub", "1.10");
    const text = page(renderSite([earlierRun, ...entries], rules), "hub/1.10/index.html");
    expect(text.indexOf("</span> conforms</strong>")).toBeGreaterThan(0);
    expect(text.slice(text.indexOf("Earlier runs"))).toContain("run 2026-01-01 00:00:00 UTC: 1 violation in 1");
  });

  it("shows only reports with a trusted key as certified, and prefers them to later reports", () => {
    const score = {
      protocol: "sample",
      version: "1.0",
      profile: "core@1",
      digest: "d",
      result: "PASSED" as const,
      counts: passingReport.counts,
    };
    const certificate = (isTrusted: boolean): Certificate => ({
      key: "ab12",
      isTrusted,
      scores: [score],
      notChecked: [],
    });
    const later = entry({ ...failingReport, started: "2027-01-01T00:00:00.000Z" }, "hub", "1.0");
    const trusted = renderSite([later, entry(passingReport, "hub", "1.0", certificate(true))], rules);
    expect(page(trusted, "index.html")).toContain("certified: core@1");
    expect(page(trusted, "hub/sample~1.0.certified.svg")).toContain("core@1");
    expect(page(trusted, "hub/1.0/index.html").slice(0, 6000)).toContain("</span> conforms</strong>");
    const untrusted = renderSite([entry(passingReport, "hub", "1.0", certificate(false))], rules);
    expect(page(untrusted, "index.html")).not.toContain("certified: core@1");
    expect([...untrusted.keys()].some((path) => path.includes("certified"))).toBe(false);
    expect(page(untrusted, "hub/1.0/index.html")).toContain("does not vouch for");
  });

  it("escapes hostile texts, and derives safe paths from hostile names", () => {
    const violation = violatedResult(`id"${hostile}`, {
      description: hostile,
      rule: hostile,
      document: hostile,
      why: hostile,
    });
    const skipped = result({ id: `${hostile}2`, outcome: "skipped", why: hostile });
    const report = reportOf([violation, skipped], { command: hostile, started: "2026-01-15T09:30:00.000Z" });
    const hostileReport = {
      ...report,
      runs: report.runs.map((run) => ({
        ...run,
        protocol: hostile,
        target: { kind: hostile, name: hostile, claims: [hostile] },
        readings: [hostile],
        failure: { stage: hostile, message: hostile },
      })),
    };
    const certificate: Certificate = {
      key: "ab12",
      isTrusted: true,
      scores: [
        {
          protocol: hostile,
          version: "1.0",
          profile: hostile,
          digest: hostile,
          result: "PASSED",
          counts: passingReport.counts,
        },
      ],
      notChecked: [{ protocol: hostile, version: "1.0", profile: hostile, results: 1, why: hostile }],
    };
    const hostileNames = [
      "../../../etc/passwd",
      "..",
      "CON",
      hostile,
      "a/b",
      "x".repeat(5000),
      "index.html",
      "files.txt",
    ];
    const files = renderSite(
      hostileNames.map((name) => entry(hostileReport, name, name, certificate)),
      rules,
    );
    expect(files.size).toBeGreaterThan(hostileNames.length * 5);
    for (const [path, text] of files) {
      expect(path).toMatch(/^[a-z0-9~._-]{1,120}(?:\/[a-z0-9~._-]{1,120}){0,2}$/);
      expect(path.split("/").some((part) => part === ".." || part === "con")).toBe(false);
      if (path.endsWith(".json")) continue;
      expect(text, path).not.toMatch(/<script|<img src=x|[\u001b\u202e]/);
      if (path.endsWith(".html")) expect(text).toContain("default-src 'none'");
    }
  });

  it("renders a report that has every optional member", () => {
    expect(releasePageOf(validReport())).toContain("</html>");
  });
});

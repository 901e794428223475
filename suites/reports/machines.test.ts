import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";
import formatsPlugin from "ajv-formats";
import { schema as ctrfSchema } from "ctrf";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { Parser } from "tap-parser";
import { describe, expect, it } from "vitest";
import { Schema } from "yaml";
import type { HttpExchange, Report, Result, Rule } from "../../schemas/index.ts";
import { hostile, reportOf, result, rules, violatedResult } from "../results/sample.fixture.ts";
import { formats } from "./index.ts";
import { childElements, elementsNamed, findMisplaced, parseXml } from "./junit.fixture.ts";

const hostileText = `${hostile}\u0000\u0001\ufffe\uffff\ud800]]>&amp;"'\r\n::error::% | \` # TODO \\ --- \n...\nnot ok 9`;

/** One result of each outcome, and a failure that the baseline lists. */
const results: Result[] = [
  result({ id: "sample/1.0/note/valid/good" }),
  violatedResult("sample/1.0/note/invalid/title/too-short"),
  violatedResult("sample/1.0/note/invalid/known", { known: "failing" }),
  violatedResult("sample/1.0/note/invalid/loose", { level: "SHOULD", outcome: "warns" }),
  violatedResult("sample/1.0/note/invalid/other", { outcome: "wrong-reason", why: "refused for another cause" }),
  result({ id: "sample/1.0/note/disputed/zone", verdict: "disputed", outcome: "disputed", why: "either" }),
  result({ id: "sample/1.0/note/raw/bom", outcome: "skipped", why: "needs raw-text" }),
  result({ id: "sample/1.0/note/valid/crash", outcome: "errored", stage: "read", why: "HTTP 500" }),
  result({ id: "sample/1.0/scenarios/twice/S-1", outcome: "timed-out", stage: "answer", why: "no answer" }),
];

const wildResult = violatedResult(`sample/1.0/note/invalid/${hostileText}`, {
  description: hostileText,
  rule: hostileText,
  document: hostileText,
  why: hostileText,
  vector: { raw: hostileText, change: [{ op: "add", path: `/${hostileText}`, value: hostileText }] },
});

function withRun(report: Report, more: Partial<Report["runs"][number]>): Report {
  return { ...report, runs: report.runs.map((resultCount) => ({ ...resultCount, ...more })) };
}

const failedReport = withRun(
  reportOf([result({ id: "sample/1.0/note/valid/good" })], { complete: false, exitCode: 3 }),
  {
    failure: { stage: "open", message: hostileText },
  },
);
const reports: Record<string, Report> = {
  "every outcome": reportOf(results),
  "hostile text": withRun(
    reportOf([wildResult, { ...wildResult, id: "t", outcome: "skipped" }], { command: hostileText }),
    {
      target: { kind: "http", name: hostileText },
    },
  ),
  "a failed run": failedReport,
  "an interrupted run": reportOf([result({ id: "sample/1.0/note/valid/good" })], { complete: false, exitCode: 3 }),
  "an empty run": reportOf([], { runs: [], complete: false, exitCode: 3, command: "" }),
  "only skipped vectors": reportOf([result({ id: "s", outcome: "skipped", why: "no" })], { exitCode: 3 }),
  "an outdated baseline": reportOf([result({ id: "sample/1.0/note/valid/good" })], {
    exitCode: 1,
    baseline: { file: "b.json", known: 0, findings: [{ kind: "stale", name: "S-1", what: "it passes" }] },
  }),
  "a baseline of other vectors": reportOf([result({ id: "sample/1.0/note/valid/good" })], {
    baseline: { file: "b.json", known: 0, findings: [{ kind: "set", name: "sample", what: "other vectors" }] },
  }),
  "a passing run": reportOf([result({ id: "sample/1.0/note/valid/good" })]),
};

function render(name: string, report: Report): string {
  return formats.find((format) => format.name === name)?.render(report, { rules }) ?? "";
}

function errorsOf(validate: ValidateFunction, value: unknown): unknown {
  return validate(value) ? [] : validate.errors;
}

// One pattern in SARIF's schema is invalid under the u flag.
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
formatsPlugin.default(ajv);
const require = createRequire(import.meta.url);

// tap-parser turns off YAML 1.1 dates in the library that all files of this process use to read YAML. This turns them on again.
Object.assign(new Schema({ resolveKnownTags: true }).knownTags["tag:yaml.org,2002:timestamp"] ?? {}, { default: true });
const {
  $schema: _,
  id: __,
  ...sarifSchema
} = JSON.parse(readFileSync(require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"), "utf8"));
const isSarif = ajv.compile(sarifSchema);
const isCtrf = ajv.compile(ctrfSchema);
for (const { $schema: _, ...schema } of Object.values<AnySchemaObject>(require("har-schema"))) ajv.addSchema(schema);
const isHar = ajv.getSchema("har.json") as ValidateFunction;

const exchange: HttpExchange = {
  request: {
    method: "POST",
    url: `http://localhost:1/notes?to=${hostileText}`,
    headers: { "Content-Type": "application/json", cookie: hostileText },
    body: hostileText,
  },
  response: { status: 302, headers: { location: hostileText, "content-type": "text/plain" }, body: hostileText },
};

describe.each(Object.entries(reports))("the report of %s", (_name, report) => {
  const isFailing = report.exitCode !== 0;

  it("JUnit is XML that Jenkins accepts, counts its cases correctly, and is red if the run fails", () => {
    const text = render("junit", report);
    // The parser is lenient about characters; the specification is not.
    expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    const root = parseXml(text);
    expect(findMisplaced(root)).toEqual([]);
    for (const suite of [root, ...childElements(root)]) {
      expect(Number(suite.getAttribute("tests"))).toBe(elementsNamed(suite, "testcase").length);
      expect(Number(suite.getAttribute("failures"))).toBe(elementsNamed(suite, "failure").length);
      expect(Number(suite.getAttribute("errors"))).toBe(elementsNamed(suite, "error").length);
    }
    expect(elementsNamed(root, "failure").length + elementsNamed(root, "error").length > 0).toBe(isFailing);
  });

  it("CTRF matches its schema, counts its tests correctly, and is red if the run fails", () => {
    const value = JSON.parse(render("ctrf", report));
    expect(errorsOf(isCtrf, value)).toEqual([]);
    const { summary, tests } = value.results;
    for (const status of ["passed", "failed", "skipped", "pending", "other"])
      expect(summary[status]).toBe(tests.filter((test: { status: string }) => test.status === status).length);
    expect(summary.tests).toBe(tests.length);
    expect(summary.failed > 0).toBe(isFailing);
  });

  it("SARIF matches its schema, and each result refers to its rule", () => {
    const value = JSON.parse(render("sarif", report));
    expect(errorsOf(isSarif, value)).toEqual([]);
    for (const { results: found, tool, invocations } of value.runs) {
      for (const { ruleId, ruleIndex } of found) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(invocations[0]).toMatchObject({ exitCode: report.exitCode });
      const reported = [...found, ...invocations[0].toolExecutionNotifications];
      expect(reported.some(({ level }: { level: string }) => level === "error")).toBe(isFailing);
    }
  });

  it("HAR matches its schema", () => {
    expect(errorsOf(isHar, JSON.parse(render("har", report)))).toEqual([]);
  });

  it("TAP is parsed with all its test points, and is red if the run fails", () => {
    const parser = new Parser({ strict: true });
    parser.end(render("tap", report));
    const found = parser.results as NonNullable<typeof parser.results>;
    expect(found.failures.filter((failure) => "tapError" in failure && failure.tapError)).toEqual([]);
    const run = report.runs.reduce((count, { results: candidate }) => count + candidate.length, 0);
    expect(found.count).toBeGreaterThanOrEqual(run);
    expect(found.ok).toBe(!isFailing);
  });

  it("a badge has only members that shields.io knows, and no percentage", () => {
    const value = JSON.parse(render("badge", report));
    const members = "schemaVersion label message color labelColor isError namedLogo logoSvg logoColor logoSize style";
    expect(members.split(" ")).toEqual(expect.arrayContaining(Object.keys(value)));
    expect(value).toMatchObject({ schemaVersion: 1, label: expect.stringMatching(/./) });
    expect(value.message).toMatch(
      /^(?:incomplete, )?(?:\d+ [a-z ]+, )*(\d+ of \d+( decided)? conform|nothing was run)(, \d+ disputed)?(, \d+ skipped)?$/,
    );
    expect(value.color === "brightgreen").toBe(!isFailing);
  });

  it("GitHub gets one command per line, at most ten of each kind", () => {
    const lines = render("github", report).trimEnd().split("\n");
    for (const line of lines) {
      const [, place, title = ""] =
        /^::(?:error|warning|notice) (file=b\.json,line=1,col=1,)?title=([^:,\r\n]*)::[^\r\n]*$/.exec(line) ?? [];
      expect(place !== undefined).toBe(title.startsWith("baseline"));
      expect(decodeURIComponent(title)).toMatch(/^(the run|baseline|sample|Touchstone)/);
      expect(decodeURIComponent(title).includes("::error::%")).toBe(
        line.includes("title=sample") && report.command === hostileText,
      );
    }
    expect(lines.some((line) => line.startsWith("::error"))).toBe(isFailing);
    expect(lines.at(-1)).toMatch(/^::notice/);
  });

  it("Markdown contains no markup from texts of the implementation", () => {
    const renderPlaced = render("markdown", report);
    expect(renderPlaced).not.toMatch(/\u001b|\u202e/);
    const htmlText = micromark(renderPlaced, {
      allowDangerousHtml: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    });
    const tags = [...htmlText.matchAll(/<\/?([a-z]\w*)[^>]*>/gi)].map(([, name]) => name);
    expect(
      tags.filter((name) => !/^(h[23]|p|ul|li|code|table|t[rhd]|thead|tbody|details|summary)$/.test(name as string)),
    ).toEqual([]);
    const tables = renderPlaced.split("\n").filter((line) => line.startsWith("|"));
    const cells = new Set(tables.map((line) => line.split("|").length));
    expect(cells.size).toBe(tables.length === 0 ? 0 : 1);
  });
});

it("HAR has each exchange, in order, with its vector or scenario", () => {
  const { request } = exchange;
  const report = reportOf([
    violatedResult("sample/1.0/note/invalid/a", { answer: { verdict: "accepted", reasons: [], exchange } }),
    result({ id: "sample/1.0/note/valid/b" }),
    result({
      id: "sample/1.0/scenarios/twice/S-1",
      exchanges: [{ request }, { ...exchange, request: { ...request, url: "http://[" } }],
    }),
  ]);
  const har = JSON.parse(render("har", report));
  expect(errorsOf(isHar, har)).toEqual([]);
  const { pages, entries } = har.log;
  const [first, , last] = ["sample/1.0/note/invalid/a", "", "sample/1.0/scenarios/twice/S-1"];
  expect(pages.map(({ id }: { id: string }) => id)).toEqual([first, last]);
  const reported = entries.map(({ pageref, response }: HarEntry) => [pageref, response.status, response.comment]);
  expect(reported).toEqual([
    [first, 302, undefined],
    [last, 0, "no answer"],
    [last, 302, undefined],
  ]);
  const [{ request: harRequest, response: harResponse }] = entries;
  expect(harRequest).toMatchObject({ method: "POST", postData: { mimeType: "application/json", text: hostileText } });
  expect(harRequest.queryString[0].name).toBe("to");
  expect(harResponse).toMatchObject({
    content: { text: hostileText, mimeType: "text/plain" },
    redirectURL: hostileText,
  });
});

interface HarEntry {
  pageref: string;
  response: { status: number; comment?: string };
}

it("SARIF contains the line of a vector in its file if it is known", () => {
  const sarif = formats.find(({ name }) => name === "sarif");
  const report = reportOf([
    violatedResult("sample/1.0/note/invalid/a b"),
    violatedResult("sample/1.0/note/invalid/new"),
  ]);
  const text = sarif?.render(report, { rules, lineOf: (_run, id) => (id.endsWith("a b") ? 17 : undefined) }) ?? "";
  const [run] = JSON.parse(text).runs;
  const places = run.results.map(({ locations: [{ physicalLocation }] }: SarifResult) => physicalLocation);
  const artifactLocation = { uri: "sample/1.0/note/invalid.json", uriBaseId: "VECTORS" };
  expect(places).toEqual([17, 1].map((startLine) => ({ artifactLocation, region: { startLine } })));
});

describe("an assertion that no rule names", () => {
  const { rule: _, ...assertionFailure } = violatedResult("order/1/order/invalid/count/above-maximum");
  const site = "https://x.example/order.json#/properties/count/maximum";
  const failureWithoutSource = {
    ...assertionFailure,
    id: "order/1/order/invalid/id/type",
    site: "https://x.example/order.json#/properties/id/type",
  };
  const report = reportOf([{ ...assertionFailure, site }, failureWithoutSource]);
  const options = {
    rules,
    lineOf: () => 17,
    vectorsOf: () => "order/vectors",
    sourceOf: (at: string) => (at === site ? { file: "order/order.schema.json", line: 6, column: 47 } : undefined),
    inRepository: (file: string) => `api/${file}`,
  };
  const text = (name: string) => formats.find((format) => format.name === name)?.render(report, options) ?? "";

  it("is a separate rule in SARIF, located at its source if that is in the repository, or else at its vector", () => {
    const sarif = JSON.parse(text("sarif"));
    expect(errorsOf(isSarif, sarif)).toEqual([]);
    const [{ results: found, tool }] = sarif.runs;
    expect(found.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual([
      "order.json#/properties/count/maximum",
      "order.json#/properties/id/type",
    ]);
    expect(tool.driver.rules).toHaveLength(2);
    const vector = {
      artifactLocation: { uri: "api/order/vectors/order/1/order/invalid.json", uriBaseId: "%SRCROOT%" },
      region: { startLine: 17 },
    };
    expect(found[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "api/order/order.schema.json", uriBaseId: "%SRCROOT%" },
      region: { startLine: 6, startColumn: 47 },
    });
    expect(found[0].relatedLocations).toEqual([{ physicalLocation: vector }]);
    expect(found[1].locations[0].physicalLocation).toEqual(vector);
  });

  it.each(["terminal", "html", "markdown", "junit", "tap", "ctrf"])("is named by its file and line in %s", (name) => {
    const decodedText = text(name).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    expect(decodedText).toContain("order/order.schema.json:6:47 #/properties/count/maximum");
    // Without a known place, it keeps its name in the pack.
    expect(formats.find((format) => format.name === name)?.render(report, { rules })).not.toContain("6:47");
  });

  it("gets a GitHub annotation on its line, with the description of the fault", () => {
    const [first = ""] = text("github").split("\n");
    expect(first).toMatch(/^::error file=api\/order\/order\.schema\.json,line=6,col=47,title=[^:]*::/);
    expect(first).toContain("%0Athe title is empty%0A");
  });
});

interface SarifResult {
  locations: [{ physicalLocation: object }];
}

describe("every outcome is reported", () => {
  const completeReport = reports["every outcome"] as Report;

  it("in JUnit, by its text, with new failures first", () => {
    const cases = elementsNamed(parseXml(render("junit", completeReport)), "testcase");
    const shown = cases.map((element) => [
      /^outcome: (.*)$/m.exec(element.textContent ?? "")?.[1],
      childElements(element)[0]?.tagName,
    ]);
    expect(shown).toEqual([
      ["violates", "failure"],
      ["errored", "error"],
      ["timed-out", "error"],
      [undefined, undefined],
      ["violates", "skipped"],
      ["warns", "system-out"],
      ["wrong-reason", "system-out"],
      ["disputed", "system-out"],
      [undefined, "skipped"],
    ]);
    const [failure] = cases;
    expect(failure?.textContent).toContain("rule: S-1");
    expect(failure?.textContent).toMatch(
      /^replay: npx touchstone replay sample\/1\.0\/note\/invalid\/title\/too-short /m,
    );
  });

  it("in CTRF and in TAP", () => {
    const { tests, summary } = JSON.parse(render("ctrf", completeReport)).results;
    expect(tests.map((test: { rawStatus: string }) => test.rawStatus)).toEqual(results.map(({ outcome }) => outcome));
    expect(tests.map((test: { status: string }) => test.status).join(" ")).toBe(
      "passed failed other other other other skipped failed failed",
    );
    expect(summary.extra.counts).toEqual(completeReport.counts);
    const points = render("tap", completeReport).match(/^(not )?ok .*/gm);
    expect(points?.map((point) => point.replace(/ - \S+/, ""))).toEqual([
      "ok 1",
      "not ok 2",
      "not ok 3 # TODO known to fail: failing",
      "ok 4",
      "ok 5",
      "ok 6",
      "ok 7 # SKIP needs raw-text",
      "not ok 8",
      "not ok 9",
    ]);
  });

  it("in SARIF, as a result or as a number", () => {
    const [run] = JSON.parse(render("sarif", completeReport)).runs;
    expect(run.results.map((result: { level: string; ruleId: string }) => [result.level, result.ruleId])).toEqual([
      ["error", "S-1"],
      ["error", "touchstone/errored"],
      ["error", "touchstone/timed-out"],
      ["error", "S-1"],
      ["warning", "S-1"],
    ]);
    expect(run.results[3].suppressions).toHaveLength(1);
    expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe("sample/1.0/note/invalid.json");
    expect(run.tool.driver.rules[0]).toMatchObject({
      id: "S-1",
      help: { text: expect.stringContaining("clause 4.2") },
    });
    expect(run.properties.counts).toEqual(completeReport.counts);
    const laterReport = { ...completeReport, started: "2027-01-01T00:00:00.000Z" };
    const [laterRun] = JSON.parse(render("sarif", laterReport)).runs;
    expect(laterRun.results[0].partialFingerprints).toEqual(run.results[0].partialFingerprints);
    const fingerprints = run.results.map((result: { fingerprints: object }) => JSON.stringify(result.fingerprints));
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });

  it("shows failures of a run beside failing results", () => {
    const interruptedReport = reportOf([results[1] as Result], { complete: false, exitCode: 1 });
    const staleReport = reports["an outdated baseline"] as Report;
    for (const name of ["junit", "ctrf", "tap", "sarif", "markdown", "github"]) {
      expect(render(name, interruptedReport), name).toContain("Interrupted");
      expect(render(name, staleReport), name).toMatch(/baseline S-1/);
    }
  });

  it("a warning is red with --fail-on should", () => {
    const strictReport: Report = { ...reportOf([results[3] as Result]), failOn: "should", exitCode: 1 };
    expect(elementsNamed(parseXml(render("junit", strictReport)), "failure")).toHaveLength(1);
    expect(render("tap", strictReport)).toContain("not ok 1");
  });
});

describe("a reason of several lines", () => {
  const why = "it failed:\n  at title\u001b[2J\n::error::no";
  const report = reportOf([violatedResult("sample/1.0/note/invalid/several", { why })]);
  // Text at the beginning of a line that might be read as a command is escaped.
  const escapedReason = "it failed:\n  at title\\u001b[2J\n\\u003a:error::no";

  it("keeps its lines in CTRF and SARIF", () => {
    const { results: output } = JSON.parse(render("ctrf", report)) as { results: { tests: { message: string }[] } };
    expect(output.tests[0]?.message).toBe(escapedReason);
    const { runs } = JSON.parse(render("sarif", report)) as {
      runs: { results: { message: { text: string } }[] }[];
    };
    expect(runs[0]?.results[0]?.message.text).toBe(`the title is empty: ${escapedReason}`);
  });

  it("keeps its lines in JUnit, as character references in attributes", () => {
    const text = render("junit", report);
    expect(text).toContain("it failed:&#10;  at title\\u001b[2J&#10;\\u003a:error::no");
    expect(elementsNamed(parseXml(text), "failure")[0]?.getAttribute("message")).toBe(`S-1: ${escapedReason}`);
  });

  it("keeps its lines in a GitHub annotation, and none of them begins a command", () => {
    const text = render("github", report);
    expect(text).toContain("several: it failed:%0A  at title\\u001b[2J%0A\\u003a:error::no");
    expect(text.split("\n").filter((line) => line.startsWith("::error"))).toHaveLength(1);
  });

  it("keeps its lines on the HTML page", () => {
    expect(render("html", report)).toContain("it failed:<br>  at title\\u001b[2J<br>\\u003a:error::no");
  });
});

describe("a rule that counts for more than its level", () => {
  const strictRules = [{ ...rules[0], level: "SHOULD", verdict: "fail" }] as Rule[];
  const report = reportOf([violatedResult("v"), violatedResult("w", { level: "SHOULD", outcome: "warns" })]);

  it.each(["terminal", "markdown", "html", "github"])("is shown with the level at which it counts in %s", (name) => {
    const format = formats.find((each) => each.name === name);
    const text = format?.render(report, { rules: strictRules }) ?? "";
    expect(text).toMatch(/SHOULD, counted as MUST \(the pack('|&#39;|&apos;)s verdict is fail\)/);
  });

  it("refers to the reason if the rule has one", () => {
    const rulesWithReason = strictRules.map((rule) => ({ ...rule, position: "Harm is done." }));
    const text = formats.find(({ name }) => name === "terminal")?.render(report, { rules: rulesWithReason }) ?? "";
    expect(text).toContain(`SHOULD, counted as MUST (explain ${strictRules[0]?.id} says why)`);
  });

  it("is an error for SARIF", () => {
    const text = formats.find(({ name }) => name === "sarif")?.render(report, { rules: strictRules }) ?? "";
    expect(text).toMatch(/"defaultConfiguration": \{\s*"level": "error"/);
  });
});

describe("limits of formats", () => {
  const manyFailures = Array.from({ length: 4000 }, (_, index) =>
    violatedResult(`sample/1.0/note/invalid/${index}`, { rule: `R-${index}`, why: "x".repeat(400) }),
  );

  it("GitHub gets ten annotations, the last with the number of the others", () => {
    const lines = render("github", reportOf(manyFailures)).trimEnd().split("\n");
    expect(lines).toHaveLength(11);
    expect(lines[9]).toBe("::error title=Touchstone::and 3991 more, see the report");
  });

  it("Markdown stays below GitHub's limit, and says how much was left out", () => {
    const text = render("markdown", reportOf(manyFailures));
    expect(Buffer.byteLength(text)).toBeLessThan(1_048_576);
    expect(Buffer.byteLength(text)).toBeGreaterThan(500_000);
    expect(text).toMatch(/and \d+ more blocks that did not fit here\.\n$/);
  });
});

it("a badge counts disputed and skipped vectors separately", () => {
  const disputed = result({ id: "c", outcome: "disputed", why: "either" });
  const report = reportOf([result({ id: "a" }), result({ id: "b", outcome: "skipped", why: "no" }), disputed]);
  expect(JSON.parse(render("badge", report)).message).toBe("1 of 1 decided conform, 1 disputed, 1 skipped");
});

it("a badge names failures first, without known failures of a baseline", () => {
  const wrong = (id: string, more: Partial<Result> = {}) => result({ id, outcome: "violates", rule: "S-1", ...more });
  const report = reportOf([
    wrong("a"),
    wrong("b"),
    wrong("c", { known: "flaky" }),
    wrong("d", { outcome: "timed-out" }),
    result({ id: "e" }),
    result({ id: "f", outcome: "disputed", why: "either" }),
  ]);
  const output = JSON.parse(render("badge", report)).message;
  expect(output).toBe("2 violated, 1 timed out, 1 of 5 decided conform, 1 disputed");
});

describe("new failures come before known failures of a baseline", () => {
  const knownFailure = violatedResult("sample/1.0/note/invalid/known", { known: "failing", why: "known of old" });
  const newFailure = violatedResult("sample/1.0/note/invalid/new", { rule: "S-2", why: "new by now" });
  const report = reportOf([knownFailure, result({ id: "sample/1.0/note/valid/good" }), newFailure], {
    baseline: {
      file: "known.json",
      known: 1,
      findings: [
        { kind: "stale", name: "sample/1.0/note/valid/good", what: "now it conforms" },
        { kind: "unexercised", name: "S-9", what: "all its vectors were skipped" },
      ],
    },
  });
  const entryLines: Record<string, number> = { "sample/1.0/note/valid/good": 7, "S-9": 9, [knownFailure.id]: 5 };
  const shown = (name: string): string =>
    formats
      .find((format) => format.name === name)
      ?.render(report, {
        rules,
        ownFile: "touchstone.config.yaml",
        entryLine: ({ id = "", rule = "" }) => entryLines[id] ?? entryLines[rule],
      }) ?? "";

  it("in GitHub annotations, with an entry of the baseline annotated at its line", () => {
    const [first, second, third] = shown("github").split("\n");
    expect(first).toMatch(/^::error title=sample 1\.0 S-2::.*new by now/);
    expect(second).toMatch(/^::error file=known\.json,line=7,col=1,title=baseline sample/);
    expect(third).toMatch(/^::warning file=known\.json,line=9,col=1,title=baseline S-9::unexercised/);
  });

  it("in JUnit, with its rule in the message", () => {
    const [first] = elementsNamed(parseXml(shown("junit")), "testcase");
    expect(first?.getAttribute("name")).toBe("sample/1.0/note/valid/good".replace("valid/good", "invalid/new"));
    expect(elementsNamed(parseXml(shown("junit")), "failure")[0]?.getAttribute("message")).toBe("S-2: new by now");
  });

  it("in SARIF, located at a file in the repository", () => {
    const [run] = JSON.parse(shown("sarif")).runs;
    expect(
      run.results.map(({ ruleId, locations: [place] }: Located) => [
        ruleId,
        place?.physicalLocation.artifactLocation,
        place?.physicalLocation.region,
      ]),
    ).toEqual([
      ["S-2", { uri: "touchstone.config.yaml", uriBaseId: "%SRCROOT%" }, { startLine: 1 }],
      ["S-1", { uri: "known.json", uriBaseId: "%SRCROOT%" }, { startLine: 5 }],
    ]);
  });

  it("in Markdown", () => {
    expect(shown("markdown").split("\n\n").slice(1, 3)).toEqual([
      "### New since the baseline",
      expect.stringMatching(/^- `S-2` 1, such as `.*new`: new by now$/),
    ]);
  });
});

interface Located {
  ruleId: string;
  locations: { physicalLocation: { artifactLocation: unknown; region: unknown } }[];
}

it("GitHub annotations begin with missing answers if they outnumber the violations", () => {
  const crashedResults = ["a", "b"].map((id) =>
    result({ id, rule: "S-1", outcome: "errored", stage: "read", why: "HTTP 500" }),
  );
  const [first] = render("github", reportOf([violatedResult("v"), ...crashedResults])).split("\n");
  expect(first).toContain("No usable answer: 2 of 3");
});

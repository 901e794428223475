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
import { all, children, findMisplaced, xmlOf } from "./junit.fixture.ts";

const wild = `${hostile}\u0000\u0001\ufffe\uffff\ud800]]>&amp;"'\r\n::error::% | \` # TODO \\ --- \n...\nnot ok 9`;

/** One result of each outcome, and known failures of a baseline. */
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

const wildResult = violatedResult(`sample/1.0/note/invalid/${wild}`, {
  description: wild,
  rule: wild,
  document: wild,
  why: wild,
  vector: { raw: wild, change: [{ op: "add", path: `/${wild}`, value: wild }] },
});

function withRun(report: Report, more: Partial<Report["runs"][number]>): Report {
  return { ...report, runs: report.runs.map((run) => ({ ...run, ...more })) };
}

const failed = withRun(reportOf([result({ id: "sample/1.0/note/valid/good" })], { complete: false, exitCode: 3 }), {
  failure: { stage: "open", message: wild },
});
const reports: Record<string, Report> = {
  "one of everything": reportOf(results),
  "hostile text": withRun(reportOf([wildResult, { ...wildResult, id: "t", outcome: "skipped" }], { command: wild }), {
    target: { kind: "http", name: wild },
  }),
  "a run that failed": failed,
  "an interrupted run": reportOf([result({ id: "sample/1.0/note/valid/good" })], { complete: false, exitCode: 3 }),
  "nothing that ran": reportOf([], { runs: [], complete: false, exitCode: 3, command: "" }),
  "nothing but skipped": reportOf([result({ id: "s", outcome: "skipped", why: "no" })], { exitCode: 3 }),
  "a baseline that does not fit": reportOf([result({ id: "sample/1.0/note/valid/good" })], {
    exitCode: 1,
    baseline: { file: "b.json", known: 0, findings: [{ kind: "stale", name: "S-1", what: "it passes" }] },
  }),
  "a baseline of other vectors": reportOf([result({ id: "sample/1.0/note/valid/good" })], {
    baseline: { file: "b.json", known: 0, findings: [{ kind: "set", name: "sample", what: "other vectors" }] },
  }),
  "all well": reportOf([result({ id: "sample/1.0/note/valid/good" })]),
};

function rendered(name: string, report: Report): string {
  return formats.find((format) => format.name === name)?.render(report, { rules }) ?? "";
}

function wrong(validate: ValidateFunction, value: unknown): unknown {
  return validate(value) ? [] : validate.errors;
}

// One pattern in SARIF's schema is invalid under the u flag.
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
formatsPlugin.default(ajv);
const require = createRequire(import.meta.url);

// tap-parser turns off the dates of YAML 1.1 in the library with which all files of this process read YAML.
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
    url: `http://localhost:1/notes?to=${wild}`,
    headers: { "Content-Type": "application/json", cookie: wild },
    body: wild,
  },
  response: { status: 302, headers: { location: wild, "content-type": "text/plain" }, body: wild },
};

describe.each(Object.entries(reports))("of %s", (_name, report) => {
  const bad = report.exitCode !== 0;

  it("JUnit is XML of the known structure, counts its cases correctly, and is red if the run is", () => {
    const text = rendered("junit", report);
    // The parser is lenient about characters; the specification is not.
    expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    const root = xmlOf(text);
    expect(findMisplaced(root)).toEqual([]);
    for (const suite of [root, ...children(root)]) {
      expect(Number(suite.getAttribute("tests"))).toBe(all(suite, "testcase").length);
      expect(Number(suite.getAttribute("failures"))).toBe(all(suite, "failure").length);
      expect(Number(suite.getAttribute("errors"))).toBe(all(suite, "error").length);
    }
    expect(all(root, "failure").length + all(root, "error").length > 0).toBe(bad);
  });

  it("CTRF is valid by its schema, counts its tests correctly, and is red if the run is", () => {
    const value = JSON.parse(rendered("ctrf", report));
    expect(wrong(isCtrf, value)).toEqual([]);
    const { summary, tests } = value.results;
    for (const status of ["passed", "failed", "skipped", "pending", "other"])
      expect(summary[status]).toBe(tests.filter((test: { status: string }) => test.status === status).length);
    expect(summary.tests).toBe(tests.length);
    expect(summary.failed > 0).toBe(bad);
  });

  it("SARIF is valid by its schema, and each result has its rule", () => {
    const value = JSON.parse(rendered("sarif", report));
    expect(wrong(isSarif, value)).toEqual([]);
    for (const { results: found, tool, invocations } of value.runs) {
      for (const { ruleId, ruleIndex } of found) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(invocations[0]).toMatchObject({ exitCode: report.exitCode });
      const reported = [...found, ...invocations[0].toolExecutionNotifications];
      expect(reported.some(({ level }: { level: string }) => level === "error")).toBe(bad);
    }
  });

  it("HAR is valid by its schema", () => {
    expect(wrong(isHar, JSON.parse(rendered("har", report)))).toEqual([]);
  });

  it("TAP is read with the right number of points, and is red if the run is", () => {
    const parser = new Parser({ strict: true });
    parser.end(rendered("tap", report));
    const found = parser.results as NonNullable<typeof parser.results>;
    expect(found.failures.filter((failure) => "tapError" in failure && failure.tapError)).toEqual([]);
    const run = report.runs.reduce((count, { results: each }) => count + each.length, 0);
    expect(found.count).toBeGreaterThanOrEqual(run);
    expect(found.ok).toBe(!bad);
  });

  it("a badge has only members that shields.io knows, and no percentage", () => {
    const value = JSON.parse(rendered("badge", report));
    const members = "schemaVersion label message color labelColor isError namedLogo logoSvg logoColor logoSize style";
    expect(members.split(" ")).toEqual(expect.arrayContaining(Object.keys(value)));
    expect(value).toMatchObject({ schemaVersion: 1, label: expect.stringMatching(/./) });
    expect(value.message).toMatch(
      /^(?:incomplete, )?(?:\d+ [a-z ]+, )*(\d+ of \d+( decided)? conform|nothing was run)(, \d+ disputed)?(, \d+ skipped)?$/,
    );
    expect(value.color === "brightgreen").toBe(!bad);
  });

  it("GitHub gets one command per line, at most ten of each kind", () => {
    const lines = rendered("github", report).trimEnd().split("\n");
    for (const line of lines) {
      const [, place, title = ""] =
        /^::(?:error|warning|notice) (file=b\.json,line=1,col=1,)?title=([^:,\r\n]*)::[^\r\n]*$/.exec(line) ?? [];
      expect(place !== undefined).toBe(title.startsWith("baseline"));
      expect(decodeURIComponent(title)).toMatch(/^(the run|baseline|sample|Touchstone)/);
      expect(decodeURIComponent(title).includes("::error::%")).toBe(
        line.includes("title=sample") && report.command === wild,
      );
    }
    expect(lines.some((line) => line.startsWith("::error"))).toBe(bad);
    expect(lines.at(-1)).toMatch(/^::notice/);
  });

  it("Markdown contains no markup from the implementation's words", () => {
    const text = rendered("markdown", report);
    expect(text).not.toMatch(/\u001b|\u202e/);
    const shown = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    const tags = [...shown.matchAll(/<\/?([a-z]\w*)[^>]*>/gi)].map(([, name]) => name);
    expect(
      tags.filter((name) => !/^(h[23]|p|ul|li|code|table|t[rhd]|thead|tbody|details|summary)$/.test(name as string)),
    ).toEqual([]);
    const tables = text.split("\n").filter((line) => line.startsWith("|"));
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
  const har = JSON.parse(rendered("har", report));
  expect(wrong(isHar, har)).toEqual([]);
  const { pages, entries } = har.log;
  const [first, , last] = ["sample/1.0/note/invalid/a", "", "sample/1.0/scenarios/twice/S-1"];
  expect(pages.map(({ id }: { id: string }) => id)).toEqual([first, last]);
  const reported = entries.map(({ pageref, response }: HarEntry) => [pageref, response.status, response.comment]);
  expect(reported).toEqual([
    [first, 302, undefined],
    [last, 0, "no answer"],
    [last, 302, undefined],
  ]);
  const [{ request: sent, response: got }] = entries;
  expect(sent).toMatchObject({ method: "POST", postData: { mimeType: "application/json", text: wild } });
  expect(sent.queryString[0].name).toBe("to");
  expect(got).toMatchObject({ content: { text: wild, mimeType: "text/plain" }, redirectURL: wild });
});

interface HarEntry {
  pageref: string;
  response: { status: number; comment?: string };
}

it("SARIF gives the line of a vector in its file, if that is known", () => {
  const sarif = formats.find(({ name }) => name === "sarif");
  const one = reportOf([violatedResult("sample/1.0/note/invalid/a b"), violatedResult("sample/1.0/note/invalid/new")]);
  const text = sarif?.render(one, { rules, lineOf: (_run, id) => (id.endsWith("a b") ? 17 : undefined) }) ?? "";
  const [run] = JSON.parse(text).runs;
  const places = run.results.map(({ locations: [{ physicalLocation }] }: SarifResult) => physicalLocation);
  const artifactLocation = { uri: "sample/1.0/note/invalid.json", uriBaseId: "VECTORS" };
  expect(places).toEqual([17, 1].map((startLine) => ({ artifactLocation, region: { startLine } })));
});

describe("an assertion that no rule names", () => {
  const { rule: _, ...bare } = violatedResult("order/1/order/invalid/count/above-maximum");
  const site = "https://x.example/order.json#/properties/count/maximum";
  const other = {
    ...bare,
    id: "order/1/order/invalid/id/type",
    site: "https://x.example/order.json#/properties/id/type",
  };
  const report = reportOf([{ ...bare, site }, other]);
  const options = {
    rules,
    lineOf: () => 17,
    vectorsOf: () => "order/vectors",
    sourceOf: (at: string) => (at === site ? { file: "order/order.schema.json", line: 6, column: 47 } : undefined),
    inRepository: (file: string) => `api/${file}`,
  };
  const text = (name: string) => formats.find((format) => format.name === name)?.render(report, options) ?? "";

  it("has a rule of its own in SARIF, and is shown with its vector if it is in the repository", () => {
    const sarif = JSON.parse(text("sarif"));
    expect(wrong(isSarif, sarif)).toEqual([]);
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
    const plain = text(name).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    expect(plain).toContain("order/order.schema.json:6:47 #/properties/count/maximum");
    // If its place is unknown, it keeps its name in the pack.
    expect(formats.find((format) => format.name === name)?.render(report, { rules })).not.toContain("6:47");
  });

  it("is annotated by GitHub on its line, with its fault", () => {
    const [first = ""] = text("github").split("\n");
    expect(first).toMatch(/^::error file=api\/order\/order\.schema\.json,line=6,col=47,title=[^:]*::/);
    expect(first).toContain("%0Athe title is empty%0A");
  });
});

interface SarifResult {
  locations: [{ physicalLocation: object }];
}

describe("every outcome is reported", () => {
  const whole = reports["one of everything"] as Report;

  it("in JUnit, by its text, with new failures first", () => {
    const cases = all(xmlOf(rendered("junit", whole)), "testcase");
    const shown = cases.map((element) => [
      /^outcome: (.*)$/m.exec(element.textContent ?? "")?.[1],
      children(element)[0]?.tagName,
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
    const { tests, summary } = JSON.parse(rendered("ctrf", whole)).results;
    expect(tests.map((test: { rawStatus: string }) => test.rawStatus)).toEqual(results.map(({ outcome }) => outcome));
    expect(tests.map((test: { status: string }) => test.status).join(" ")).toBe(
      "passed failed other other other other skipped failed failed",
    );
    expect(summary.extra.counts).toEqual(whole.counts);
    const points = rendered("tap", whole).match(/^(not )?ok .*/gm);
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
    const [run] = JSON.parse(rendered("sarif", whole)).runs;
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
    expect(run.properties.counts).toEqual(whole.counts);
    const later = { ...whole, started: "2027-01-01T00:00:00.000Z" };
    const [again] = JSON.parse(rendered("sarif", later)).runs;
    expect(again.results[0].partialFingerprints).toEqual(run.results[0].partialFingerprints);
    const prints = run.results.map((result: { fingerprints: object }) => JSON.stringify(result.fingerprints));
    expect(new Set(prints).size).toBe(prints.length);
  });

  it("shows failures of a run beside failing results", () => {
    const broken = reportOf([results[1] as Result], { complete: false, exitCode: 1 });
    const stale = reports["a baseline that does not fit"] as Report;
    for (const name of ["junit", "ctrf", "tap", "sarif", "markdown", "github"]) {
      expect(rendered(name, broken), name).toContain("Interrupted");
      expect(rendered(name, stale), name).toMatch(/baseline S-1/);
    }
  });

  it("fails with advice if advice fails", () => {
    const strict: Report = { ...reportOf([results[3] as Result]), failOn: "should", exitCode: 1 };
    expect(all(xmlOf(rendered("junit", strict)), "failure")).toHaveLength(1);
    expect(rendered("tap", strict)).toContain("not ok 1");
  });
});

describe("a reason of several lines", () => {
  const why = "it failed:\n  at title\u001b[2J\n::error::no";
  const report = reportOf([violatedResult("sample/1.0/note/invalid/several", { why })]);
  // Text at the beginning of a line that might be read as a command is written out.
  const shown = "it failed:\n  at title\\u001b[2J\n\\u003a:error::no";

  it("keeps its lines in CTRF and SARIF", () => {
    const { results: output } = JSON.parse(rendered("ctrf", report)) as { results: { tests: { message: string }[] } };
    expect(output.tests[0]?.message).toBe(shown);
    const { runs } = JSON.parse(rendered("sarif", report)) as {
      runs: { results: { message: { text: string } }[] }[];
    };
    expect(runs[0]?.results[0]?.message.text).toBe(`the title is empty: ${shown}`);
  });

  it("keeps them in JUnit, as references in attributes", () => {
    const text = rendered("junit", report);
    expect(text).toContain("it failed:&#10;  at title\\u001b[2J&#10;\\u003a:error::no");
    expect(all(xmlOf(text), "failure")[0]?.getAttribute("message")).toBe(`S-1: ${shown}`);
  });

  it("keeps them in an annotation of GitHub, in which they begin no command", () => {
    const text = rendered("github", report);
    expect(text).toContain("several: it failed:%0A  at title\\u001b[2J%0A\\u003a:error::no");
    expect(text.split("\n").filter((line) => line.startsWith("::error"))).toHaveLength(1);
  });

  it("keeps them on the page", () => {
    expect(rendered("html", report)).toContain("it failed:<br>  at title\\u001b[2J<br>\\u003a:error::no");
  });
});

describe("a rule that counts for more than its level", () => {
  const grave = [{ ...rules[0], level: "SHOULD", verdict: "fail" }] as Rule[];
  const report = reportOf([violatedResult("v"), violatedResult("w", { level: "SHOULD", outcome: "warns" })]);

  it.each(["terminal", "markdown", "html", "github"])(
    "is never shown with a lower level above a MUST in %s",
    (name) => {
      const format = formats.find((each) => each.name === name);
      const text = format?.render(report, { rules: grave }) ?? "";
      expect(text).toMatch(/SHOULD, counted as MUST \(the pack('|&#39;|&apos;)s verdict is fail\)/);
    },
  );

  it("points to the reason, if the rule has one", () => {
    const reasoned = grave.map((rule) => ({ ...rule, position: "Harm is done." }));
    const text = formats.find(({ name }) => name === "terminal")?.render(report, { rules: reasoned }) ?? "";
    expect(text).toContain(`SHOULD, counted as MUST (explain ${grave[0]?.id} says why)`);
  });

  it("is an error for SARIF", () => {
    const text = formats.find(({ name }) => name === "sarif")?.render(report, { rules: grave }) ?? "";
    expect(text).toMatch(/"defaultConfiguration": \{\s*"level": "error"/);
  });
});

describe("limits of formats", () => {
  const many = Array.from({ length: 4000 }, (_, index) =>
    violatedResult(`sample/1.0/note/invalid/${index}`, { rule: `R-${index}`, why: "x".repeat(400) }),
  );

  it("GitHub gets ten annotations, the last with the number of the others", () => {
    const lines = rendered("github", reportOf(many)).trimEnd().split("\n");
    expect(lines).toHaveLength(11);
    expect(lines[9]).toBe("::error title=Touchstone::and 3991 more, see the report");
  });

  it("Markdown stays below GitHub's limit, and says how much was left out", () => {
    const text = rendered("markdown", reportOf(many));
    expect(Buffer.byteLength(text)).toBeLessThan(1_048_576);
    expect(Buffer.byteLength(text)).toBeGreaterThan(500_000);
    expect(text).toMatch(/and \d+ more blocks that did not fit here\.\n$/);
  });
});

it("a badge counts disputed and skipped vectors separately", () => {
  const disputed = result({ id: "c", outcome: "disputed", why: "either" });
  const report = reportOf([result({ id: "a" }), result({ id: "b", outcome: "skipped", why: "no" }), disputed]);
  expect(JSON.parse(rendered("badge", report)).message).toBe("1 of 1 decided conform, 1 disputed, 1 skipped");
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
  const output = JSON.parse(rendered("badge", report)).message;
  expect(output).toBe("2 violated, 1 timed out, 1 of 5 decided conform, 1 disputed");
});

describe("new failures come before known failures of a baseline", () => {
  const known = violatedResult("sample/1.0/note/invalid/known", { known: "failing", why: "known of old" });
  const fresh = violatedResult("sample/1.0/note/invalid/new", { rule: "S-2", why: "new by now" });
  const report = reportOf([known, result({ id: "sample/1.0/note/valid/good" }), fresh], {
    baseline: {
      file: "known.json",
      known: 1,
      findings: [
        { kind: "stale", name: "sample/1.0/note/valid/good", what: "now it conforms" },
        { kind: "unexercised", name: "S-9", what: "all its vectors were skipped" },
      ],
    },
  });
  const lines: Record<string, number> = { "sample/1.0/note/valid/good": 7, "S-9": 9, [known.id]: 5 };
  const shown = (name: string): string =>
    formats
      .find((format) => format.name === name)
      ?.render(report, {
        rules,
        ownFile: "touchstone.config.yaml",
        entryLine: ({ id = "", rule = "" }) => lines[id] ?? lines[rule],
      }) ?? "";

  it("in annotations, with an entry of the list annotated at its line", () => {
    const [first, second, third] = shown("github").split("\n");
    expect(first).toMatch(/^::error title=sample 1\.0 S-2::.*new by now/);
    expect(second).toMatch(/^::error file=known\.json,line=7,col=1,title=baseline sample/);
    expect(third).toMatch(/^::warning file=known\.json,line=9,col=1,title=baseline S-9::unexercised/);
  });

  it("in JUnit, with its rule in the message", () => {
    const [first] = all(xmlOf(shown("junit")), "testcase");
    expect(first?.getAttribute("name")).toBe("sample/1.0/note/valid/good".replace("valid/good", "invalid/new"));
    expect(all(xmlOf(shown("junit")), "failure")[0]?.getAttribute("message")).toBe("S-2: new by now");
  });

  it("in SARIF, at a place in the repository", () => {
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

it("annotations begin with missing answers if these outnumber violations", () => {
  const crashed = ["a", "b"].map((id) =>
    result({ id, rule: "S-1", outcome: "errored", stage: "read", why: "HTTP 500" }),
  );
  const [first] = rendered("github", reportOf([violatedResult("v"), ...crashed])).split("\n");
  expect(first).toContain("No usable answer: 2 of 3");
});

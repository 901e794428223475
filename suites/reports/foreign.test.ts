import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sarifToMarkdown } from "@security-alert/sarif-to-markdown";
import { calculateSummary, filterTests, merge, parse, TEST_STATUSES, validateStrict } from "ctrf";
import resultsParser from "test-results-parser";
import { describe, expect, it } from "vitest";
import { onDebian, skipReason, titleWithReason } from "../base/process/lacking.fixture.ts";

import { hostile, reportOf, result, rules, violatedResult } from "../results/sample.fixture.ts";
import { formats } from "./index.ts";

/** One case of a JUnit report, as another tool reads it. */
interface ReadCase {
  name: string;
  status: "passed" | "failed" | "skipped";
  message: string;
}

const note = "sample/1.0/note";
const why = `accepted, "although" it is <invalid> & ${hostile}\nsecond line`;
const report = reportOf([
  result({ id: `${note}/valid/good` }),
  violatedResult(`${note}/invalid/title/too-short`, { why }),
  violatedResult(`${note}/invalid/known`, { known: "failing" }),
  violatedResult(`${note}/invalid/loose`, { level: "SHOULD", outcome: "warns" }),
  result({ id: `${note}/disputed/zone`, verdict: "disputed", outcome: "disputed", why: "either" }),
  result({ id: `${note}/raw/bom`, outcome: "skipped", why: "needs raw-text" }),
  result({ id: `${note}/valid/crash`, outcome: "errored", stage: "read", why: "HTTP 500" }),
  result({ id: "sample/1.0/scenarios/twice/S-1", outcome: "timed-out", stage: "answer", why: "no answer" }),
]);

/** The status that each tool should read for each case, by id. */
const expectedStatuses = {
  [`${note}/valid/good`]: "passed",
  [`${note}/invalid/title/too-short`]: "failed",
  [`${note}/invalid/known`]: "skipped",
  [`${note}/invalid/loose`]: "passed",
  [`${note}/disputed/zone`]: "passed",
  [`${note}/raw/bom`]: "skipped",
  [`${note}/valid/crash`]: "failed",
  "sample/1.0/scenarios/twice/S-1": "failed",
};

function render(name: string): string {
  return formats.find((format) => format.name === name)?.render(report, { rules }) ?? "";
}

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
let fileCount = 0;

function writeFile(text: string): string {
  fileCount += 1;
  const file = join(folder, `${fileCount}.xml`);
  writeFileSync(file, text);
  return file;
}

/** Reads with `test-results-parser`, which publishes results in chats and dashboards. */
function readWithResultsParser(text: string): ReadCase[] | string {
  const statusNames = { PASS: "passed", FAIL: "failed", SKIP: "skipped" } as const;
  try {
    const { suites } = resultsParser.parse({ type: "junit", files: [writeFile(text)] });
    return suites.flatMap(({ cases }) =>
      cases.map(({ name, status, failure }) => ({
        name,
        status: statusNames[status as keyof typeof statusNames],
        message: failure ?? "",
      })),
    );
  } catch (error) {
    return (error as Error).message;
  }
}

const pythonProgram = `
import json, sys
from junitparser import JUnitXml, Error, Failure, Skipped
def read(case):
    results = case.result if isinstance(case.result, list) else [case.result] if case.result else []
    bad = [each for each in results if isinstance(each, (Error, Failure))]
    left = [each for each in results if isinstance(each, Skipped)]
    status = "failed" if bad else "skipped" if left else "passed"
    return {"name": case.name, "status": status, "message": [*bad, *left][0].message if bad or left else ""}
def cases(file):
    try:
        return [read(case) for suite in JUnitXml.fromfile(file) for case in suite]
    except Exception as error:
        return str(error)
print(json.dumps([cases(file) for file in sys.argv[1:]]))
`;

/** Reads with Python's `junitparser`. */
function readWithJunitparser(texts: readonly string[]): (ReadCase[] | string)[] {
  const { status, stdout, stderr } = spawnSync(python ?? "python3", ["-c", pythonProgram, ...texts.map(writeFile)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as (ReadCase[] | string)[];
}

/** Debian's modules belong to Debian's Python, which may not be the first on the path. */
const python = ["python3", "/usr/bin/python3"].find(
  (each) => spawnSync(each, ["-c", "import junitparser"]).status === 0,
);
const lacking = skipReason(
  python !== undefined,
  "junitparser",
  `pip install junitparser, or ${onDebian("python3-junitparser")}`,
);

const readers = [
  {
    reader: "test-results-parser",
    read: (texts: readonly string[]) => texts.map(readWithResultsParser),
    lacking: undefined,
  },
  { reader: "Python's junitparser", read: readWithJunitparser, lacking },
];

describe.each(readers)("JUnit as $reader reads it", ({ read, lacking: reason }) => {
  it.skipIf(reason !== undefined)(titleWithReason("has each case once with its status, failures first", reason), () => {
    const text = render("junit");
    const damaged = [
      text.replace(/<(\/?)failure/g, "<$1failed"),
      text.replace(/<(\/?)skipped/g, "<$1ignored"),
      text.replace(/<testcase [^>]*\/>\n/, ""),
      text.slice(0, text.length / 2),
    ];
    const [cases = [], ...damagedCases] = read([text, ...damaged]);
    expect(statusesOf(cases)).toEqual(expectedStatuses);
    expect(cases).toHaveLength(Object.keys(expectedStatuses).length);
    expect(cases[0]).toMatchObject({
      name: `${note}/invalid/title/too-short`,
      message: expect.stringMatching(/^S-1: accepted, /),
    });
    expect(damagedCases).toHaveLength(damaged.length);
    for (const casesOfOne of damagedCases) expect(statusesOf(casesOfOne)).not.toEqual(expectedStatuses);
  });
});

function statusesOf(cases: readonly ReadCase[] | string): unknown {
  return typeof cases === "string" ? cases : Object.fromEntries(cases.map(({ name, status }) => [name, status]));
}

/** Reads with `sarif-to-markdown`, which comments on pull requests: each rule with its level and places, and whether the check should fail. */
function readWithSarifToMarkdown(text: string): unknown {
  const repository = { owner: "us", repo: "ours", branch: "main", sourceRoot: "" };
  try {
    return sarifToMarkdown({ ...repository, failOn: ["error"] })(JSON.parse(text)).map(({ body, shouldFail }) => ({
      shouldFail,
      results: placesUnder(body, "Results"),
      suppressed: placesUnder(body, "Suppressed results"),
    }));
  } catch (error) {
    return (error as Error).message;
  }
}

/** The lines of a section: a rule as `LEVEL ID`, followed by the addresses of its places. */
function placesUnder(body: string, title: string): string[] {
  const [, section = ""] = body.split(`\n## ${title}\n`);
  return (section.split("\n## ")[0] ?? "").split("\n").flatMap((line) => {
    const [, level, rule] = /^- \*\*\[(\w+)\]\*\* \*\*\[(.+?)\]\*\*/.exec(line) ?? [];
    const [, place] = /^ {4}- (\S+)$/.exec(line) ?? [];
    return rule === undefined ? (place ?? []) : [`${level} ${rule}`];
  });
}

it("SARIF, as sarif-to-markdown reads it, has each broken rule with its places, and known failures separately", () => {
  const text = render("sarif");
  const places = "https://github.com/us/ours/blob/main/sample/1.0";
  const read = readWithSarifToMarkdown(text);
  expect(read).toEqual([
    {
      shouldFail: true,
      results: [
        "ERROR S-1",
        `${places}/note/invalid.json#L1`,
        `${places}/note/invalid.json#L1`,
        "ERROR touchstone/errored",
        `${places}/note/valid.json#L1`,
        "ERROR touchstone/timed-out",
      ],
      suppressed: ["ERROR S-1", `${places}/note/invalid.json#L1`],
    },
  ]);
  const damaged = [
    text.replaceAll('"suppressions"', '"suppressed"'),
    text.replaceAll('"ruleId"', '"rule"'),
    text.replaceAll('"defaultConfiguration"', '"configuration"'),
    text.replaceAll('"physicalLocation"', '"location"'),
    text.slice(0, text.length / 2),
  ];
  for (const other of damaged) expect(readWithSarifToMarkdown(other)).not.toEqual(read);
});

it("CTRF, as its reference implementation reads it, has each test once with its status, and correct counts", () => {
  const text = render("ctrf");
  const read = parse(text, { validate: true });
  validateStrict(read);
  const namedTests = TEST_STATUSES.flatMap((status) =>
    filterTests(read, { status }).map(({ name, message = "" }) => [name, status, message] as const),
  );
  const otherStatuses = {
    [`${note}/invalid/known`]: "other",
    [`${note}/invalid/loose`]: "other",
    [`${note}/disputed/zone`]: "other",
  };
  expect(Object.fromEntries(namedTests.map(([name, status]) => [name, status]))).toEqual({
    ...expectedStatuses,
    ...otherStatuses,
  });
  expect(namedTests).toHaveLength(Object.keys(expectedStatuses).length);
  expect(namedTests.find(([name]) => name === `${note}/invalid/title/too-short`)?.[2]).toMatch(/accepted, /);
  const { summary, tests } = read.results;
  expect(calculateSummary(tests)).toMatchObject({
    tests: summary.tests,
    passed: summary.passed,
    failed: summary.failed,
    skipped: summary.skipped,
    pending: summary.pending,
    other: summary.other,
  });
  expect(merge([read, read]).results.summary.failed).toBe(2 * summary.failed);
  for (const damaged of [text.replace('"failed"', '"broken"'), text.replace('"tests"', '"cases"'), text.slice(0, -20)])
    expect(() => validateStrict(parse(damaged))).toThrow();
});

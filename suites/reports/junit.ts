import { count, outcomes, type Report, type Result, type Run } from "../../schemas/index.ts";
import { escapeHtml as escaped } from "../base/text/escape.ts";
import { replayCommandOf } from "../results/replay.ts";
import type { Format, RenderOptions } from "./format.ts";
import { groupByDocument } from "./groups/group.ts";
import { remarksOn } from "./groups/remarks.ts";
import { placedFacts } from "./sections/heading.ts";
import { findShortfalls, type Status, statusOf } from "./sections/status.ts";
import { describeConclusion, describeTarget } from "./wording/phrases.ts";

/** Renders JUnit XML in the structure that Jenkins accepts: a suite for each protocol and document, and a case for each vector. */
export const junit: Format = {
  name: "junit",
  extension: "xml",
  render(report, { sourceOf }) {
    const conclusion = describeConclusion(report);
    const suites = report.runs.flatMap((run) => {
      const runTexts: RunTexts = { conclusion, remarks: remarksOn(run) };
      return groupByDocument(run).map(([name, results]) =>
        formatSuite({ report, run, sourceOf }, runTexts, name, results),
      );
    });
    suites.sort(
      ({ numbers: [, ...numbersA] }, { numbers: [, ...numbersB] }) =>
        Number(numbersB.some((number) => number > 0)) - Number(numbersA.some((number) => number > 0)),
    );
    const shortfalls = findShortfalls(report);
    if (shortfalls.length > 0) suites.push(shortfallSuite(shortfalls));
    const [tests, failures, errors] = [0, 1, 2].map((column) =>
      suites.reduce((sum, { numbers }) => sum + (numbers[column] as number), 0),
    );
    const attributes = writeAttributes({ name: "touchstone", time: report.durationMs / 1000, tests, failures, errors });
    return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes}>
${suites.map(({ xml }) => xml).join("\n")}
</testsuites>
`;
  },
};

interface Suite {
  xml: string;
  /** The numbers of cases, failures and errors. */
  numbers: [number, number, number];
}

/** Texts about a whole run, which each of its suites repeats. */
interface RunTexts {
  conclusion: string;
  remarks: readonly string[];
}

interface RunContext {
  report: Report;
  run: Run;
  sourceOf: RenderOptions["sourceOf"];
}

function formatSuite(
  context: RunContext,
  { conclusion, remarks }: RunTexts,
  document: string,
  results: readonly Result[],
): Suite {
  const { report, run } = context;
  const statuses = results.map((result) => statusOf(result, report));
  // New failures come first.
  const isNew = ({ status }: { status: Status }): boolean => status === "failed" || status === "errored";
  const cases = results
    .map((result, index) => ({ result, status: statuses[index] as Status }))
    .sort((first, second) => Number(isNew(second)) - Number(isNew(first)));
  const countWithStatus = (...wantedStatuses: Status[]): number =>
    statuses.filter((status) => wantedStatuses.includes(status)).length;
  const [failures, errors, skipped] = [
    countWithStatus("failed"),
    countWithStatus("errored"),
    countWithStatus("skipped", "known"),
  ];
  const counts = count(results);
  const properties: [string, string | number | boolean][] = [
    ["target", describeTarget(run)],
    ["set", run.set.digest],
    ["only", run.filter.only.join(" ")],
    ["skip", run.filter.skip.join(" ")],
    ["readings", (run.readings ?? []).join(" ")],
    ["complete", report.complete],
    ["conclusion", conclusion],
    ...remarks.map((remark): [string, string] => ["remark", remark]),
    ...outcomes.map((outcome): [string, number] => [outcome, counts[outcome]]),
  ];
  const name = `${run.protocol}/${run.version}/${document}`;
  const timestamp = report.started.slice(0, 19);
  return {
    numbers: [results.length, failures, errors],
    xml: `<testsuite${writeAttributes({ name, tests: results.length, failures, errors, skipped, timestamp })}>
<properties>
${properties.map(([key, value]) => `<property${writeAttributes({ name: key, value })}/>`).join("\n")}
</properties>
${cases.map(({ result, status }) => formatCase({ ...context, result }, name, status)).join("\n")}
</testsuite>`,
  };
}

interface JunitCase extends RunContext {
  result: Result;
}

function formatCase({ report, run, sourceOf, result }: JunitCase, classname: string, status: Status): string {
  const { id: name, outcome, why = "", rule, stage, durationMs } = result;
  const time = durationMs === undefined ? {} : { time: durationMs / 1000 };
  const head = `<testcase${writeAttributes({ name, classname, ...time })}`;
  switch (status) {
    case "passed":
      return `${head}/>`;
    case "skipped":
      return `${head}><skipped${writeAttributes({ message: why })}/></testcase>`;
    case "known":
      return `${head}><skipped${writeAttributes({ message: `known (${result.known}): ${why}` })}/><system-out>${describeRun()}</system-out></testcase>`;
    case "failed":
      return `${head}><failure${writeAttributes({ type: rule ?? outcome, message: rule === undefined ? why : `${rule}: ${why}` })}>${describeRun()}</failure></testcase>`;
    case "errored":
      return `${head}><error${writeAttributes({ type: stage ?? outcome, message: why })}>${describeRun()}</error></testcase>`;
    case "noted":
      return `${head}><system-out>${describeRun()}</system-out></testcase>`;
  }

  function describeRun(): string {
    const replayCommand = replayCommandOf(report, run, name);
    const facts = [
      ...placedFacts(result, sourceOf),
      ...(replayCommand === undefined ? [] : [["replay", replayCommand]]),
    ].map(([fact, text]) => `${fact}: ${text}`);
    return escapeLines([
      result.description,
      `outcome: ${outcome}`,
      ...(rule === undefined ? [] : [`rule: ${rule}`]),
      ...facts,
    ]);
  }
}

function shortfallSuite(shortfalls: ReturnType<typeof findShortfalls>): Suite {
  const cases = shortfalls.map(
    ({ name, message }) =>
      `<testcase${writeAttributes({ name, classname: "touchstone" })}><error${writeAttributes({ type: "run", message })}/></testcase>`,
  );
  const head = writeAttributes({
    name: "touchstone",
    tests: shortfalls.length,
    failures: 0,
    errors: shortfalls.length,
    skipped: 0,
  });
  return {
    numbers: [shortfalls.length, 0, shortfalls.length],
    xml: `<testsuite${head}>\n${cases.join("\n")}\n</testsuite>`,
  };
}

function writeAttributes(attributes: Record<string, string | number | boolean | undefined>): string {
  return (
    Object.entries(attributes)
      // Parsers read a line break in an attribute as a space, unless it is written as a character reference.
      .map(([name, value]) => ` ${name}="${escapeLines([String(value)], "&#10;")}"`)
      .join("")
  );
}

function escapeLines(texts: readonly string[], separator = "\n"): string {
  return texts
    .flatMap((text) => text.split("\n"))
    .map(escaped)
    .join(separator);
}

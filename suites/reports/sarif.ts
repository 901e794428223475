import {
  digestOf,
  levelOf,
  outcomes,
  type Report,
  type Result,
  type Rule,
  type Run,
  shortAssertion,
} from "../../schemas/index.ts";
import { escapeInvisible, escapeInvisibleJson, escapeInvisibleLines } from "../base/text/escape.ts";
import { pluralizeReason } from "../base/text/skips.ts";
import type { Format, RenderOptions } from "./format.ts";
import { groupsOf, indexById } from "./groups/group.ts";
import { remarksOn } from "./groups/remarks.ts";
import { sharedCommand } from "./groups/shared-command.ts";
import { bases, createPlacer, type SarifLines, type SarifPlaces } from "./sarif-places.ts";
import { findShortfalls, type Status, statusOf } from "./sections/status.ts";
import { numberOf, numberOfResults } from "./wording/nouns.ts";
import { describeConclusion, describeCounts, describeTarget, resultFacts } from "./wording/phrases.ts";

/** Renders SARIF 2.1.0: a result for each vector that violates, warns, is flaky or got no answer. The others are only counted. */
export const sarif: Format = {
  name: "sarif",
  extension: "sarif",
  render(report, options) {
    const { rules, lineOf = () => undefined } = options;
    const rulesById = indexById(rules);
    const value = {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      // The format requires a run, even if nothing was run.
      runs:
        report.runs.length === 0
          ? [runOf(report, undefined, { rules: rulesById, options })]
          : report.runs.map((run) => runOf(report, run, { rules: rulesById, options, lines: (id) => lineOf(run, id) })),
    };
    return `${escapeInvisibleJson(JSON.stringify(value, null, 2))}\n`;
  },
};

/** Outcomes that become results; the others become notifications. */
const shownOutcomes = new Set(["violates", "warns", "errored", "timed-out", "flaky"]);

function runOf(
  report: Report,
  run: Run | undefined,
  {
    rules,
    options,
    lines = () => undefined,
  }: { rules: ReadonlyMap<string, Rule>; options: RenderOptions; lines?: SarifLines },
): object {
  const results = run?.results ?? [];
  const placeOf = createPlacer(run, options, lines, report.baseline?.file);
  const ids = [
    ...new Set(results.filter(({ rule, outcome }) => rule !== undefined || shownOutcomes.has(outcome)).map(ruleIdOf)),
  ];
  const shortfalls = findShortfalls(report);
  const hasFailure = report.runs.some(({ failure }) => failure !== undefined);
  return {
    tool: {
      driver: {
        name: "Touchstone",
        semanticVersion: report.tool.version,
        rules: ids.map((id) => describeRule(id, rules.get(id), results)),
      },
    },
    ...(run === undefined ? {} : { automationDetails: { id: `touchstone/${run.protocol}/${run.version}/` } }),
    invocations: [
      {
        executionSuccessful: report.complete && !hasFailure,
        exitCode: report.exitCode,
        exitCodeDescription: describeConclusion(report),
        ...(report.command === "" ? {} : { commandLine: escapeInvisible(sharedCommand(report)) }),
        startTimeUtc: report.started,
        endTimeUtc: new Date(Date.parse(report.started) + report.durationMs).toISOString(),
        toolExecutionNotifications: [
          ...shortfalls.map(({ name, message }) => notificationOf("error", `${name}: ${message}`)),
          ...(run === undefined
            ? []
            : [...remarksOn(run).map((text) => notificationOf("warning", text)), ...countNotifications(run)]),
        ],
      },
    ],
    originalUriBaseIds: bases,
    results: sortNewFirst(
      report,
      results.filter(({ outcome }) => shownOutcomes.has(outcome)),
    ).map((result) => resultOf(report, result, ids, placeOf)),
    ...(run === undefined ? {} : { properties: propertiesOf(report, run) }),
  };
}

/** New failures come before known ones. */
function sortNewFirst(report: Report, results: readonly Result[]): Result[] {
  const isNew = (result: Result): boolean => ["failed", "errored"].includes(statusOf(result, report));
  return [...results].sort((first, second) => Number(isNew(second)) - Number(isNew(first)));
}

function propertiesOf({ complete }: Report, { target, set, filter, readings, shard, counts }: Run): object {
  const total = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  return {
    complete,
    target: { kind: target.kind, name: escapeInvisible(target.name) },
    set,
    filter,
    readings,
    shard,
    counts,
    total,
  };
}

/** The SARIF rule of a result: its rule, or otherwise the assertion of the schema, or the document. For a missing answer it is the outcome. */
function ruleIdOf({ outcome, rule, site, id, document }: Result): string {
  if (outcome === "errored" || outcome === "timed-out") return `touchstone/${outcome}`;
  return rule ?? (site === undefined ? `${id.split("/").slice(0, 2).join("/")}/${document}` : shortAssertion(site));
}

const levels = { MUST: "error", SHOULD: "warning", MAY: "note", NOTE: "note" } as const;

function describeRule(id: string, rule: Rule | undefined, results: readonly Result[]): object {
  if (rule === undefined) {
    const isAssertion = results.some(
      ({ rule, site }) => rule === undefined && site !== undefined && shortAssertion(site) === id,
    );
    const text = id.startsWith("touchstone/")
      ? "The implementation gave no usable answer."
      : isAssertion
        ? `An assertion of the schema, ${escapeInvisible(id)}.`
        : "The document's schema as a whole.";
    return {
      id: escapeInvisible(id),
      shortDescription: { text },
      help: { text },
      defaultConfiguration: { level: "error" },
    };
  }
  const details = [`${rule.level}, clause ${rule.clause}`, ...(rule.position === undefined ? [] : [rule.position])];
  return {
    id: escapeInvisible(id),
    shortDescription: { text: escapeInvisible(rule.statement) },
    help: { text: [rule.statement, ...details].map(escapeInvisible).join("\n\n") },
    defaultConfiguration: { level: levels[levelOf(rule)] },
    properties: { tags: ["conformance", levelOf(rule)] },
  };
}

function resultOf(
  report: Report,
  result: Result,
  ids: readonly string[],
  placeOf: (result: Result) => SarifPlaces,
): object {
  const { id, outcome, at, site, fault, known, description, why = "" } = result;
  const status: Status = statusOf(result, report);
  const rule = ruleIdOf(result);
  const { main, related } = placeOf(result);
  return {
    ruleId: escapeInvisible(rule),
    ruleIndex: ids.indexOf(rule),
    kind: "fail",
    level: status === "noted" || (status === "known" && outcome === "warns") ? "warning" : "error",
    message: { text: `${escapeInvisible(description)}: ${escapeInvisibleLines(why)}` },
    locations: [
      {
        ...(main === undefined ? {} : { physicalLocation: main }),
        logicalLocations: [{ fullyQualifiedName: escapeInvisible(id), kind: "member" }],
      },
    ],
    ...(related === undefined ? {} : { relatedLocations: [{ physicalLocation: related }] }),
    // The id of a vector is stable, while its description may change.
    fingerprints: { "touchstone/v1": escapeInvisible(id) },
    partialFingerprints: { primaryLocationLineHash: `${digestOf(id).slice(7, 29)}:1` },
    ...(known === undefined
      ? {}
      : { suppressions: [{ kind: "external", justification: `it is in the baseline: ${known}` }] }),
    properties: {
      outcome,
      ...Object.fromEntries(
        Object.entries({ at, site, fault }).map(([name, value]) => [name, value && escapeInvisible(value)]),
      ),
      facts: resultFacts(result).map(([name, text]) => `${name}: ${escapeInvisibleLines(text)}`),
    },
  };
}

/** Notifications with the counts, and the reasons why vectors were skipped. */
function countNotifications(run: Run): object[] {
  const total = numberOfResults(run.results);
  const skipped = groupsOf(run, "skipped", new Map()).map(
    ({ name, results }) => `${numberOf(results)} of ${total} skipped: ${pluralizeReason(results.length, name)}`,
  );
  return [
    `${run.protocol} ${run.version} against ${describeTarget(run)}: ${describeCounts(run.counts)}`,
    ...skipped,
  ].map((text) => notificationOf("note", text));
}

function notificationOf(level: "error" | "warning" | "note", text: string): object {
  return { level, message: { text: escapeInvisibleLines(text) } };
}

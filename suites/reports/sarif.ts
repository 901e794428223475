import {
  digestOf,
  levelOf,
  outcomes,
  type Report,
  type Result,
  type Rule,
  type Run,
  vectorPath,
} from "../../schemas/index.ts";
import { visible, visibleJson, visibleLines } from "../text/escape.ts";
import type { Format } from "./format.ts";
import { byId, groupsOf } from "./group.ts";
import { type Status, shortfalls, statusOf } from "./status.ts";
import { against, conclusion, countsInWords, facts, some } from "./words.ts";

/** SARIF 2.1.0: a result for each vector that violates, warns or got no answer; of all others the numbers. */
export const sarif: Format = {
  name: "sarif",
  extension: "sarif",
  render(report, { rules, lineOf = () => undefined }) {
    const known = byId(rules);
    const value = {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      // The format wants a run, also where nothing ran.
      runs:
        report.runs.length === 0
          ? [runOf(report, undefined, known)]
          : report.runs.map((run) => runOf(report, run, known, (id) => lineOf(run, id))),
    };
    return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
  },
};

/** Outcomes that are results; the others are told in notifications. */
const shown = new Set(["violates", "warns", "errored", "timed-out"]);

type Lines = (id: string) => number | undefined;

function runOf(
  report: Report,
  run: Run | undefined,
  rules: ReadonlyMap<string, Rule>,
  lines: Lines = () => undefined,
): object {
  const results = run?.results ?? [];
  const ids = [...new Set(results.filter(({ rule, outcome }) => rule !== undefined || shown.has(outcome)).map(ruleId))];
  const short = shortfalls(report);
  const failures = report.runs.some(({ failure }) => failure !== undefined);
  return {
    tool: {
      driver: {
        name: "Touchstone",
        semanticVersion: report.tool.version,
        rules: ids.map((id) => descriptor(id, rules.get(id))),
      },
    },
    ...(run === undefined ? {} : { automationDetails: { id: `touchstone/${run.protocol}/${run.version}/` } }),
    invocations: [
      {
        executionSuccessful: report.complete && !failures,
        exitCode: report.exitCode,
        exitCodeDescription: conclusion(report),
        ...(report.command === "" ? {} : { commandLine: visible(report.command) }),
        startTimeUtc: report.started,
        endTimeUtc: new Date(Date.parse(report.started) + report.durationMs).toISOString(),
        toolExecutionNotifications: [
          ...short.map(({ name, message }) => notification("error", `${name}: ${message}`)),
          ...(run === undefined ? [] : numbers(run)),
        ],
      },
    ],
    originalUriBaseIds: { VECTORS: { description: { text: "The folder of the vector set." } } },
    results: results.filter(({ outcome }) => shown.has(outcome)).map((result) => resultOf(report, result, ids, lines)),
    ...(run === undefined ? {} : { properties: propertiesOf(report, run) }),
  };
}

function propertiesOf({ complete }: Report, { target, set, filter, readings, shard, counts }: Run): object {
  const total = outcomes.reduce((all, outcome) => all + counts[outcome], 0);
  return {
    complete,
    target: { kind: target.kind, name: visible(target.name) },
    set,
    filter,
    readings,
    shard,
    counts,
    total,
  };
}

/** Where there is no rule, the protocol's document, and for a missing answer the outcome stands in for it. */
function ruleId({ outcome, rule, id, document }: Result): string {
  if (outcome === "errored" || outcome === "timed-out") return `touchstone/${outcome}`;
  return rule ?? `${id.split("/").slice(0, 2).join("/")}/${document}`;
}

const levels = { MUST: "error", SHOULD: "warning", MAY: "note", NOTE: "note" } as const;

function descriptor(id: string, rule: Rule | undefined): object {
  if (rule === undefined) {
    const text = id.startsWith("touchstone/")
      ? "The implementation gave no usable answer."
      : "What the document's schema demands, where no rule of the protocol is named.";
    return { id: visible(id), shortDescription: { text }, help: { text }, defaultConfiguration: { level: "error" } };
  }
  const about = [`${rule.level}, clause ${rule.clause}`, ...(rule.position === undefined ? [] : [rule.position])];
  return {
    id: visible(id),
    shortDescription: { text: visible(rule.statement) },
    help: { text: [rule.statement, ...about].map(visible).join("\n\n") },
    defaultConfiguration: { level: levels[levelOf(rule)] },
    properties: { tags: ["conformance", levelOf(rule)] },
  };
}

function resultOf(report: Report, result: Result, ids: readonly string[], lines: Lines): object {
  const { id, outcome, at, site, fault, known, description, why = "" } = result;
  const status: Status = statusOf(result, report);
  const rule = ruleId(result);
  const file = vectorPath(id);
  return {
    ruleId: visible(rule),
    ruleIndex: ids.indexOf(rule),
    kind: "fail",
    level: status === "noted" || (status === "known" && outcome === "warns") ? "warning" : "error",
    message: { text: `${visible(description)}: ${visibleLines(why)}` },
    locations: [
      {
        ...(file === undefined
          ? {}
          : {
              physicalLocation: {
                artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/"), uriBaseId: "VECTORS" },
                // Who shows annotations wants a line; where the vectors are not at hand it is that of the file.
                region: { startLine: lines(id) ?? 1 },
              },
            }),
        logicalLocations: [{ fullyQualifiedName: visible(id), kind: "member" }],
      },
    ],
    // The id of a vector stays; what is said of it may change.
    fingerprints: { "touchstone/v1": visible(id) },
    partialFingerprints: { primaryLocationLineHash: `${digestOf(id).slice(7, 29)}:1` },
    ...(known === undefined
      ? {}
      : { suppressions: [{ kind: "external", justification: `the baseline knows it: ${known}` }] }),
    properties: {
      outcome,
      ...Object.fromEntries(Object.entries({ at, site, fault }).map(([name, said]) => [name, said && visible(said)])),
      facts: facts(result).map(([name, text]) => `${name}: ${visibleLines(text)}`),
    },
  };
}

/** Why vectors have no result. */
function numbers(run: Run): object[] {
  const all = some(run.results.length, "vector");
  const skipped = groupsOf(run, "skipped", new Map()).map(
    ({ name, results }) => `${results.length} of ${all} skipped: ${name}`,
  );
  return [`${run.protocol} ${run.version} against ${against(run)}: ${countsInWords(run.counts)}`, ...skipped].map(
    (text) => notification("note", text),
  );
}

function notification(level: "error" | "note", text: string): object {
  return { level, message: { text: visibleLines(text) } };
}

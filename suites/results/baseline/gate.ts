import {
  type Baseline,
  type BaselineFinding,
  type BaselineReport,
  builtInPacks,
  currentId,
  isByAnswers,
  nearestName,
  protocolsNamed,
  type Report,
  type Result,
  type Rule,
  type Source,
} from "../../../schemas/index.ts";
import { attributeRefusals } from "../attribution.ts";
import { failsRun } from "../exit.ts";
import { reasonReportIsPartial } from "../partial-report.ts";
import { reportOf } from "../report.ts";
import { coverageFindings, presenceBefore, recordName } from "./coverage-record.ts";
import { findingsOn } from "./entry.ts";
import { knownResults, namesOfResults } from "./known-results.ts";

export interface GateOptions {
  list: Baseline;
  /** The path of the list. */
  file: string;
  /** The date on which the expiry of entries is judged, `YYYY-MM-DD` in UTC. */
  today: string;
  /** The rules of the protocols that were run. */
  rules: readonly Rule[];
  /** The position of an assertion in a file, if known. */
  sourceOf?: ((site: string) => Source | undefined) | undefined;
  /** The command that repairs the list, if this run can be used for it. */
  repair?: string;
}

/** Compares a report with a baseline: marks known results, reports faults of the list, and recomputes the exit code. */
export function applyBaseline(
  report: Report,
  { list: givenList, file, today, rules, sourceOf, repair }: GateOptions,
): Report {
  const list = renameEntries(givenList);
  const knownStateOf = knownResults(list, today, namesOfResults(list.entries, sourceOf));
  const runs = report.runs.map((run) => {
    const attributedResults = attributeRefusals(run);
    return {
      ...run,
      results: run.results.map((result, index) => markResult(result, knownStateOf(attributedResults[index] as Result))),
    };
  });
  const results = runs.flatMap((run) => run.results);
  const isWhole = reasonReportIsPartial(report) === undefined;
  const findings = [
    ...setFindings(report, list),
    ...(isWhole ? coverageFindings(report, list, rules) : []),
    ...entryFindings(report, { list, today, rules, sourceOf }),
  ].filter((finding) => finding !== undefined);
  const newResults = results.filter((result) => result.known === undefined && failsRun(result, report.failOn));
  const existedBefore = presenceBefore(report, list);
  const newVectors = newResults.flatMap(({ id }) => (existedBefore(id) === false ? id : []));
  const canRepair = isWhole && (newResults.length > 0 || findings.some(canBeRepaired));
  const baseline: BaselineReport = {
    file,
    known: results.filter((result) => result.known !== undefined).length,
    findings,
    ...(newResults.some(({ id }) => existedBefore(id) !== undefined) ? { newVectors } : {}),
    ...(repair !== undefined && canRepair ? { repair } : {}),
  };
  return reportOf({ ...report, runs, baseline });
}

/** Whether an update of the baseline would remove the finding. It keeps entries that were not exercised, or that expire soon. */
function canBeRepaired({ kind }: BaselineFinding): boolean {
  return kind !== "expiring" && kind !== "unexercised";
}

function markResult({ known: _, ...result }: Result, state: Result["known"]): Result {
  return state === undefined ? result : { ...result, known: state };
}

/** The finding on each entry of a list, in the order of the entries. */
export function entryFindings(
  report: Report,
  { list, today, rules, sourceOf }: Pick<GateOptions, "list" | "today" | "rules" | "sourceOf">,
): (BaselineFinding | undefined)[] {
  const allProtocols = protocolsNamed("all");
  return findingsOn({
    entries: list.entries,
    today,
    failOn: report.failOn ?? "must",
    isWhole: reasonReportIsPartial(report) === undefined,
    names: namesOfResults(list.entries, sourceOf),
    results: report.runs.flatMap(attributeRefusals),
    protocols: report.runs.map(({ protocol, version }) => `${protocol}/${version}/`),
    existedBefore: presenceBefore(report, list),
    isOtherSet: (id) =>
      report.runs.some(
        ({ protocol, version, set }) =>
          id.startsWith(`${protocol}/${version}/`) &&
          list.sets[protocol] !== undefined &&
          list.sets[protocol] !== set.digest,
      ),
    judgedBefore: (rule) => {
      const judgedCounts = report.runs.flatMap((run) => list.judged?.[recordName(run, report)]?.rules[rule] ?? []);
      return judgedCounts.length === 0 ? undefined : Math.max(...judgedCounts);
    },
    allProtocols: builtInPacks.map(({ name, version }) => `${name}/${version}/`),
    rules: rules.map(({ id }) => id),
    rulesOfAnswers: report.runs.some(({ target }) => target.kind === "http")
      ? rules.flatMap(({ id, status }) => (isByAnswers(status) ? id : []))
      : [],
    isOtherRule: (id) => allProtocols.some((protocol) => protocol.rules.some((rule) => rule.id === id)),
  });
}

/** The baseline with the current ids of its vectors. */
export function renameEntries(list: Baseline): Baseline {
  const entries = list.entries.map((entry) => (entry.id === undefined ? entry : { ...entry, id: currentId(entry.id) }));
  return { ...list, entries };
}

/** Mentions that a baseline was reviewed with other vectors. This never fails a run, because each entry is checked by itself. */
function setFindings({ runs }: Report, { sets, entries }: Baseline): BaselineFinding[] {
  return runs.flatMap(({ protocol, set }) => {
    const digest = sets[protocol];
    const isForProtocol = digest !== undefined || entries.some(({ id }) => id?.startsWith(`${protocol}/`));
    const isForOthers = !isForProtocol && entries.length > 0 && entries.every(({ id }) => id !== undefined);
    const otherProtocols = [...new Set(entries.flatMap(({ id = "" }) => id.split("/")[0] ?? []))].join(", ");
    if (isForOthers)
      return [
        {
          kind: "set" as const,
          name: protocol,
          what: `the baseline has no entry for this protocol, only for ${otherProtocols}`,
        },
      ];
    if (!isForProtocol || digest === set.digest) return [];
    const problem =
      digest === undefined
        ? `the baseline was not reviewed against vectors of ${protocol}`
        : "the baseline was reviewed against another vector set";
    const hint = digest === undefined ? nearestName(protocol, Object.keys(sets)) : "";
    return [{ kind: "set" as const, name: protocol, what: `${hint}${problem}; the set of this run is ${set.digest}` }];
  });
}

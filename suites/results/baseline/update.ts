import {
  type Baseline,
  type BaselineEntry,
  type BaselineFinding,
  type Failure,
  type Report,
  type Result,
  shortAssertion,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { failsRun } from "../exit.ts";
import { reasonReportIsPartial } from "../partial-report.ts";
import { judgedResults, recordName } from "./coverage-record.ts";
import { isUnanswered } from "./entry.ts";
import { applyBaseline, entryFindings, type GateOptions, renameEntries } from "./gate.ts";
import { nameOf } from "./known-results.ts";

/** The members given for each new entry. */
export type Addition = Pick<BaselineEntry, "reason" | "owner" | "expires" | "flaky">;

export interface BaselineUpdate {
  list: Baseline;
  added: number;
  removed: number;
  /** The number of new failures that were not added. */
  notAdded: number;
  /** The number of unlisted results without a usable answer, which are never added. */
  unanswered: number;
}

export interface UpdateOptions extends GateOptions {
  addition?: Addition | undefined;
  /** Whether to add one entry for each rule, or assertion without a rule, instead of one for each vector. */
  byRule?: boolean | undefined;
  /** Whether to add only new failures of vectors that the old set did not have. */
  forNewSet?: boolean | undefined;
}

/**
 * Updates a baseline from a report: removes entries that no longer apply and, if a reason is given, adds the new failures. Results that are skipped
 * or have no usable answer do not change entries. Throws a usage error for a partial report.
 */
export function updateList(report: Report, options: UpdateOptions): BaselineUpdate {
  const part = reasonReportIsPartial(report);
  if (part !== undefined)
    throw new TouchstoneError("usage", `${part}, and a baseline can only be made from a whole run`, {
      where: options.file,
      hint: "complete a run without --only, --skip and --shard",
    });
  const { addition, today, forNewSet, byRule } = options;
  const list = renameEntries(options.list);
  if (addition?.expires !== undefined && addition.expires < today)
    throw new TouchstoneError("usage", `the day ${addition.expires} has passed, today is ${today}`, {
      hint: "give a later day",
    });
  const gatedReport = applyBaseline(report, options);
  const findings = entryFindings(report, { ...options, list });
  const unanswered = new Set(report.runs.flatMap(({ results }) => results.filter(isUnanswered).map(({ id }) => id)));
  const isKept = (entry: BaselineEntry, finding: BaselineFinding | undefined): boolean =>
    finding === undefined ||
    finding.kind === "unexercised" ||
    finding.kind === "expiring" ||
    (finding.kind !== "duplicate" && entry.id !== undefined && unanswered.has(entry.id));
  const applicableEntries = list.entries.filter((entry, index) => isKept(entry, findings[index]));
  const unlistedFailures = gatedReport.runs.flatMap(({ results }) =>
    results.filter((result) => result.known === undefined && failsRun(result, report.failOn)),
  );
  const newVectors = new Set(gatedReport.baseline?.newVectors);
  const usableFailures = unlistedFailures.filter((result) => !isUnanswered(result) || violatesSometimes(result));
  const newFailures = usableFailures.filter(({ id }) => forNewSet !== true || newVectors.has(id));
  const entries = addition === undefined ? [] : newFailures.map((result) => entryOf(result, addition, byRule === true));
  const addedEntries = [...new Map(entries.map((entry) => [`${nameOf(entry)} ${entry.outcome}`, entry])).values()];
  // The entry of a rule covers those of its vectors.
  const coveredKeys = new Set(
    addedEntries.flatMap(({ id, rule, outcome }) => (id === undefined ? `${rule} ${outcome}` : [])),
  );
  const ruleOf = new Map(gatedReport.runs.flatMap(({ results }) => results.map(({ id, rule }) => [id, rule])));
  const keptEntries = applicableEntries.filter(
    ({ id, outcome }) => id === undefined || !coveredKeys.has(`${ruleOf.get(id)} ${outcome}`),
  );
  const sets = Object.fromEntries(report.runs.map(({ protocol, set }) => [protocol, set.digest]));
  const records = Object.fromEntries(report.runs.map((run) => [recordName(run, report), judgedResults(run)]));
  const { $schema, judged: formerRecords } = list;
  return {
    list: {
      $schema,
      sets: { ...list.sets, ...sets },
      judged: { ...formerRecords, ...records },
      entries: [...keptEntries, ...addedEntries],
    },
    added: addedEntries.length,
    removed: list.entries.length - keptEntries.length,
    notAdded: usableFailures.length - entries.length,
    unanswered: unlistedFailures.length - usableFailures.length,
  };
}

/** The entry for a new failure: by its id, with its rule as information, or by its rule or assertion. */
function entryOf({ id, rule, site, outcome }: Result, addition: Addition, byRule: boolean): BaselineEntry {
  const entryKey = rule === undefined ? (site === undefined ? { id } : { site: shortAssertion(site) }) : { rule };
  const name = byRule ? entryKey : { id, ...(rule === undefined ? {} : { rule }) };
  return outcome === "flaky"
    ? { ...name, outcome: "violates", ...addition, flaky: true }
    : { ...name, outcome: outcome as Failure, ...addition };
}

/** Whether some attempts violated and others did not. */
function violatesSometimes({ outcome, cause }: Result): boolean {
  return outcome === "flaky" && cause?.kind === "flaky" && cause.tries.includes("violates");
}

import {
  count,
  type Report,
  type ReportOptions,
  type Run,
  TouchstoneError,
  type UntestedRule,
} from "../../../schemas/index.ts";
import { reportOf } from "../../results/report.ts";
import { sharedValue } from "../groups/shared-value.ts";
import { mergeBaselines } from "./baselines.ts";

/** A report and the file that it was read from. */
export interface MergeSource {
  file: string;
  report: Report;
}

/** Returns the place of an id in the selection that was split into shards; undefined if unknown. */
export type PlaceInSet = (run: Run, id: string) => number | undefined;

/** Merges the reports of all shards into the report of the whole run. Throws a usage error if a shard is missing or given twice, or if the shards are not parts of one run because their vectors, filters, targets or versions differ. */
export function merge(sources: readonly MergeSource[], placeOf: PlaceInSet): Report {
  const [first] = requireSameRun(sources);
  const reports = sources.map(({ report }) => report);
  const names = [...new Set(reports.flatMap(({ runs }) => runs.map(nameOf)))];
  const runs = names.map((name) => mergeRuns(sources, name, placeOf));
  const complete =
    reports.every((report) => report.complete) && reports.every((report) => report.runs.length === names.length);
  const startedAt = Math.min(...reports.map((report) => Date.parse(report.started)));
  const endedAt = Math.max(...reports.map((report) => Date.parse(report.started) + report.durationMs));
  return reportOf({
    tool: first.report.tool,
    started: new Date(startedAt).toISOString(),
    durationMs: endedAt - startedAt,
    complete,
    command: commandOf(reports),
    options: optionsOf(reports),
    failOn: first.report.failOn,
    ...mergeBaselines(reports),
    runs,
  });
}

/** Throws a usage error unless the sources are all the shards of one run, each of them once. */
function requireSameRun(sources: readonly MergeSource[]): [MergeSource, ...MergeSource[]] {
  const [first] = sources;
  const count = first?.report.runs[0]?.shard?.count;
  if (first === undefined || count === undefined) throw notShardError(first?.file);
  const fileByShard = new Map<number, string>();
  for (const { file, report } of sources) {
    const shard = report.runs[0]?.shard;
    if (shard === undefined) throw notShardError(file);
    if (shard.count !== count)
      throw differenceError(file, first.file, `one of ${shard.count} shards, the other one of ${count}`);
    const sameShard = fileByShard.get(shard.index);
    if (sameShard !== undefined)
      throw new TouchstoneError("usage", `shard ${shard.index} of ${count} is given twice`, {
        where: file,
        hint: `the other report is ${sameShard}; leave out one of them`,
      });
    fileByShard.set(shard.index, file);
    if (report.tool.version !== first.report.tool.version)
      throw differenceError(
        file,
        first.file,
        `Touchstone ${report.tool.version}, the other ${first.report.tool.version}`,
      );
    if (report.failOn !== first.report.failOn) throw differenceError(file, first.file, "another --fail-on");
  }
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !fileByShard.has(index));
  if (missing.length > 0)
    throw new TouchstoneError("usage", `shard ${missing.join(", ")} of ${count} is missing`, {
      hint: "give the reports of all shards; if a shard crashed, its results are in the file of --report jsonl=FILE",
    });
  return sources as [MergeSource, ...MergeSource[]];
}

/** Merges the runs of one protocol from all shards. */
function mergeRuns(sources: readonly MergeSource[], name: string, places: PlaceInSet): Run {
  const parts = sources.flatMap(({ file, report }) =>
    report.runs.filter((run) => nameOf(run) === name).map((run) => ({ file, run })),
  );
  const [first, ...otherParts] = parts as [(typeof parts)[number], ...typeof parts];
  for (const { file, run } of otherParts) {
    for (const [memberName, partOf] of comparedParts) {
      if (partOf(run) !== partOf(first.run)) throw differenceError(file, first.file, `other ${memberName} for ${name}`);
    }
  }
  const results = parts
    .flatMap(({ run }) => run.results)
    .map((result) => ({ result, place: places(first.run, result.id) ?? Number.POSITIVE_INFINITY }))
    .sort((first, second) => comparePlaces(first.place, second.place))
    .map(({ result }) => result);
  const ids = new Set(results.map(({ id }) => id));
  if (ids.size < results.length)
    throw new TouchstoneError("usage", `some vectors of ${name} are in two shards`, {
      hint: "the reports are not from one split of the vectors; run all shards again",
    });
  const failingPart = parts.find(({ run }) => run.failure !== undefined);
  // `inCommon` is left out: a feature that distinguishes the messages of one shard need not do so in all of them.
  const { shard: _, failure: __, inCommon: ___, untested: ____, lost: _____, ...sharedMembers } = first.run;
  const untested = parts.flatMap(({ run }) => run.untested ?? []).filter(isFirstOfRule);
  const failure = failingPart?.run.failure;
  const lost = parts.flatMap(({ run }) => run.lost ?? []);
  return {
    ...sharedMembers,
    counts: count(results),
    results,
    ...(untested.length === 0 ? {} : { untested }),
    ...(lost.length === 0
      ? {}
      : { lost: { times: lost.reduce((sum, { times }) => sum + times, 0), last: lost.at(-1)?.last ?? "" } }),
    ...(failure === undefined
      ? {}
      : { failure: { ...failure, message: `${failure.message} (shard ${failingPart?.run.shard?.index})` } }),
  };
}

/** Compares two places. Subtracting would not work, because unknown places are infinite. */
function comparePlaces(first: number, second: number): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** Keeps one entry for each untested rule. A rule stays untested even if another shard has tested it, because it is safer to claim too little. */
function isFirstOfRule({ rule }: UntestedRule, index: number, rules: readonly UntestedRule[]): boolean {
  return rules.findIndex((untestedRule) => untestedRule.rule === rule) === index;
}

/** The parts that the runs of all shards must share, by name. */
const comparedParts: [name: string, partOf: (run: Run) => string][] = [
  ["vectors", ({ set }) => set.digest],
  ["filters", ({ filter }) => JSON.stringify([filter.only, filter.skip])],
  ["readings", ({ readings }) => JSON.stringify(readings)],
  ["target", ({ target }) => JSON.stringify([target.kind, target.name])],
];

function nameOf({ protocol, version }: Run): string {
  return `${protocol}@${version}`;
}

/** The command of the whole run. Shards may have drawn different seeds, so the seed is left out if it differs. */
function commandOf(reports: readonly Report[]): string {
  const commands = new Set(reports.map(({ command }) => command));
  if (commands.size === 1) return [...commands][0] as string;
  const seedless = new Set([...commands].map((command) => command.replace(/ --seed \d+/, "")));
  return seedless.size === 1 ? ([...seedless][0] as string) : "";
}

function optionsOf(reports: readonly Report[]): Report["options"] {
  const allOptions = reports.map(({ options }) => options);
  return (
    sharedValue(allOptions) ??
    sharedValue(allOptions.map((options) => (options === undefined ? undefined : withoutSeed(options))))
  );
}

function withoutSeed({ seed: _, ...options }: ReportOptions): ReportOptions {
  return options;
}

function notShardError(file: string | undefined): TouchstoneError {
  return new TouchstoneError("usage", "expected the report of a shard", {
    ...(file === undefined ? {} : { where: file }),
    hint: "merge combines reports of `run --shard I/N`",
  });
}

function differenceError(file: string, other: string, memberName: string): TouchstoneError {
  return new TouchstoneError("usage", `not a shard of the same run as ${other}: ${memberName}`, {
    where: file,
    hint: "run all shards with the same options on the same vectors",
  });
}

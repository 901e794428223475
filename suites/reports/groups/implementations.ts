import { type Report, type Run, sum } from "../../../schemas/index.ts";
import { exitCode } from "../../results/exit.ts";
import { describeTarget } from "../wording/phrases.ts";

/** The runs of one protocol: the last run of each implementation, and its earlier ones, in chronological order. */
export interface ImplementationGroup {
  name: string;
  runs: Run[];
  /** The earlier runs of each implementation, the oldest first. */
  earlier: Run[][];
}

export function groupsByProtocol(runs: readonly Run[]): ImplementationGroup[] {
  const groups = new Map<string, Map<string, Run[]>>();
  runs.forEach((run, index) => {
    const name = `${run.protocol} ${run.version}`;
    const implementations = groups.get(name) ?? new Map<string, Run[]>();
    groups.set(name, implementations);
    // A run without a start time is always a separate implementation.
    const key = run.started === undefined ? String(index) : identityOf(run);
    implementations.set(key, [...(implementations.get(key) ?? []), run]);
  });
  return [...groups].map(([name, implementations]) => {
    const runsByImplementation = [...implementations.values()].map((implementationRuns) =>
      implementationRuns.sort(byTime),
    );
    return {
      name,
      runs: runsByImplementation.map((implementationRuns) => implementationRuns.at(-1) as Run),
      earlier: runsByImplementation.map((implementationRuns) => implementationRuns.slice(0, -1)),
    };
  });
}

/** Removes earlier runs from a report, so that its conclusion is about the last run of each implementation. */
export function withLatestRuns(report: Report): Report {
  const runs = groupsByProtocol(report.runs).flatMap((group) => group.runs);
  if (runs.length === report.runs.length) return report;
  const { complete, failOn, baseline } = report;
  const gates = { ...(failOn === undefined ? {} : { failOn }), ...(baseline === undefined ? {} : { baseline }) };
  const startTimes = runs.map((run) => run.started ?? report.started).sort();
  return {
    ...report,
    started: startTimes[0] ?? report.started,
    counts: sum(runs.map(({ counts }) => counts)),
    exitCode: exitCode({ runs, complete, ...gates }),
    runs,
  };
}

/** Names the implementations of a group. Several with the same name are numbered. */
export function namesOfGroup({ runs }: Pick<ImplementationGroup, "runs">): string[] {
  const names = runs.map(describeTarget);
  return names.map((name, index) => {
    const earlierCount = names.slice(0, index).filter((earlierName) => earlierName === name).length;
    return earlierCount === 0 ? name : `${name}, ${earlierCount + 1}`;
  });
}

/** Returns a key for the implementation of a run. Runs with the same key belong to the same implementation, even if their random messages differ. */
function identityOf({ target: { kind, name }, readings, filter, shard, options }: Run): string {
  return JSON.stringify([kind, name, readings, filter, shard, options?.target, options?.verb, options?.side]);
}

function byTime(first: Run, second: Run): number {
  return Date.parse(first.started ?? "") - Date.parse(second.started ?? "");
}

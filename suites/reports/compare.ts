import type { Outcome, Report, Result } from "../../schemas/index.ts";
import { statusOf } from "./status.ts";

/** A result in two reports; `before` or `now` is absent where the report does not have it. */
export interface Pair {
  id: string;
  document: string;
  rule?: string;
  before?: Outcome;
  now?: Outcome;
  why?: string;
}

/** What became of the results between two reports. */
export interface Difference {
  /** They fail now, and did not before, or were not there. */
  failing: Pair[];
  /** They had a verdict, and are skipped now. */
  lost: Pair[];
  fixed: Pair[];
  /** They fail in both. */
  still: Pair[];
  /** Other outcomes that changed. */
  changed: Pair[];
  added: Pair[];
  removed: Pair[];
  /** Protocols whose vectors are not the same in both. */
  sets: string[];
  /** Whether the new report has an outcome for everything that it set out to judge. */
  complete: boolean;
  /** 0 the same or better, 1 something fails that did not or is skipped now, 3 the new report is not complete. */
  exitCode: 0 | 1 | 3;
}

/** What is new in a report since an older one. */
export function compare(before: Report, now: Report): Difference {
  const [old, recent] = [resultsOf(before), resultsOf(now)];
  const pairs = [...new Set([...old.keys(), ...recent.keys()])].map((id) => {
    const [was, is] = [old.get(id), recent.get(id)];
    return { pair: pairOf(id, was, is), failed: failing(was, before), fails: failing(is, now) };
  });
  const those = (is: (each: (typeof pairs)[number]) => boolean): Pair[] => pairs.filter(is).map(({ pair }) => pair);
  const difference = {
    failing: those(({ failed, fails }) => fails && !failed),
    lost: those(
      ({ pair, failed }) => pair.now === "skipped" && !failed && pair.before !== undefined && pair.before !== "skipped",
    ),
    fixed: those(({ pair, failed, fails }) => failed && !fails && pair.now !== undefined && pair.now !== "skipped"),
    still: those(({ failed, fails }) => failed && fails),
    changed: those(
      ({ pair: { before, now }, failed, fails }) =>
        before !== undefined && now !== undefined && before !== now && !fails && (now === "skipped" ? failed : !failed),
    ),
    added: those(({ pair }) => pair.before === undefined),
    removed: those(({ pair }) => pair.now === undefined),
  };
  const worse = difference.failing.length + difference.lost.length > 0;
  return {
    ...difference,
    sets: setsChanged(before, now),
    complete: now.complete,
    exitCode: worse ? 1 : now.complete ? 0 : 3,
  };
}

function resultsOf({ runs }: Report): Map<string, Result> {
  return new Map(runs.flatMap(({ results }) => results.map((result): [string, Result] => [result.id, result])));
}

/** What a baseline knows fails nobody, and failed nobody before. */
function failing(result: Result | undefined, report: Report): boolean {
  return result !== undefined && ["failed", "errored"].includes(statusOf(result, report));
}

function pairOf(id: string, was: Result | undefined, is: Result | undefined): Pair {
  const either = (is ?? was) as Result;
  return {
    id,
    document: either.document,
    ...(either.rule === undefined ? {} : { rule: either.rule }),
    ...(was === undefined ? {} : { before: was.outcome }),
    ...(is === undefined ? {} : { now: is.outcome }),
    ...(is?.why === undefined ? {} : { why: is.why }),
  };
}

function setsChanged(before: Report, now: Report): string[] {
  const digests = new Map(before.runs.map(({ protocol, version, set }) => [`${protocol} ${version}`, set.digest]));
  return now.runs
    .map(({ protocol, version, set }) => ({ name: `${protocol} ${version}`, digest: set.digest }))
    .filter(({ name, digest }) => digests.has(name) && digests.get(name) !== digest)
    .map(({ name }) => name);
}

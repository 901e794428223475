import { type Baseline, type BaselineEntry, type Failure, type Report, TouchstoneError } from "../../schemas/index.ts";
import { fails } from "../results/exit.ts";
import { partOnly } from "../results/whole.ts";
import { entryFindings, type GateOptions, gated, renamed } from "./gate.ts";

/** What is written to each new entry. */
export type Addition = Pick<BaselineEntry, "reason" | "owner" | "expires" | "flaky">;

export interface Updated {
  list: Baseline;
  added: number;
  removed: number;
  /** New failures that were not taken in. */
  left: number;
}

/**
 * The list that fits a report: entries that no longer hold are gone, and, with a reason given, new failures are there. Throws a usage
 * error for the report of a part of a run.
 */
export function updated(report: Report, options: GateOptions & { addition?: Addition | undefined }): Updated {
  const part = partOnly(report);
  if (part !== undefined)
    throw new TouchstoneError("usage", `${part}, and a list is made from a whole run alone`, {
      where: options.file,
      hint: "run everything, without --only, --skip and --shard, to its end",
    });
  const { addition, today } = options;
  const list = renamed(options.list);
  if (addition?.expires !== undefined && addition.expires < today)
    throw new TouchstoneError("usage", `${addition.expires} is over, today is ${today}`, { hint: "give a later day" });
  const judged = gated(report, options);
  const found = entryFindings(report, { ...options, list });
  const kept = list.entries.filter((_, index) => found[index] === undefined);
  const fresh = judged.runs.flatMap(({ results }) =>
    results.filter((result) => result.known === undefined && fails(result, report.failOn)),
  );
  const added =
    addition === undefined
      ? []
      : fresh.map(({ id, outcome }): BaselineEntry => ({ id, outcome: outcome as Failure, ...addition }));
  const sets = Object.fromEntries(report.runs.map(({ protocol, set }) => [protocol, set.digest]));
  return {
    list: { $schema: list.$schema, sets: { ...list.sets, ...sets }, entries: [...kept, ...added] },
    added: added.length,
    removed: list.entries.length - kept.length,
    left: fresh.length - added.length,
  };
}

import type { CauseKind, Outcome, Report, Result } from "../../../schemas/index.ts";
import { lineOf } from "../../results/command-line.ts";

/** Describes an impossible time in a report; `now` is in milliseconds since 1970. The clocks of two machines may differ by some minutes. */
export function findImpossibleTime({ started, durationMs, runs }: Report, now: number): string | undefined {
  const latest = now + 10 * 60_000;
  const starts = [started, ...runs.flatMap((run) => run.started ?? [])];
  const ahead = starts.find((start) => !(Date.parse(start) <= latest));
  if (ahead !== undefined) return `it began at ${ahead}, which is in the future`;
  if (!(Date.parse(started) + durationMs <= latest)) return "it ended at a time in the future";
  // The combined result of several reports has the time of the first.
  if (runs.some((run) => run.started !== undefined)) return undefined;
  const longer = runs.flatMap(({ results }) => results).find((result) => (result.durationMs ?? 0) > durationMs + 1);
  return longer === undefined ? undefined : `${longer.id} took longer than the run`;
}

/** Describes a command that does not match the options beside it in a report as it was written. (Reading a report rebuilds its command from its options.) The name under which the program was called is not compared. */
export function findImpossibleCommand({ command, options }: Report): string | undefined {
  if (options === undefined || command === "") return undefined;
  const fitting = [false, true].map((isConfigured) => lineOf(options, { program: "", isConfigured }));
  return fitting.some((line) => command.endsWith(line)) ? undefined : "its command does not match its options";
}

/** The causes that an outcome allows; any cause if the outcome is not listed. */
const grounds: Partial<Record<Outcome, readonly CauseKind[]>> = {
  violates: ["accepted", "refused", "answer-broken", "expectation"],
  warns: ["accepted", "refused", "answer-broken", "expectation"],
  "wrong-reason": ["other-reason"],
  disputed: ["left-open"],
};
const judgedCauses = new Set(Object.values(grounds).flat());

/** Describes a result with a cause that its outcome, its verdict or its answer does not allow. */
export function findImpossibleCause({ runs }: Report): string | undefined {
  for (const result of runs.flatMap(({ results }) => results)) {
    const wrong = findWrongCause(result);
    if (wrong !== undefined) return `${result.id}: ${wrong}`;
  }
  return undefined;
}

function findWrongCause({ outcome, kind: of, verdict, why, cause, answer, decidedBy }: Result): string | undefined {
  if (decidedBy !== undefined && outcome !== "disputed") return `it is "${outcome}", and decided by readings`;
  if (outcome === "conforms")
    return cause === undefined && why === undefined ? undefined : "it conforms, and has a cause";
  if (cause === undefined || why === undefined) return `it is "${outcome}" without a cause`;
  const { kind } = cause;
  const possible = grounds[outcome];
  if (possible === undefined ? judgedCauses.has(kind) : !possible.includes(kind))
    return `it cannot be "${outcome}" for the cause "${kind}"`;
  if (of !== "vector") return undefined;
  const [judgedAs, expectedVerdict] = wanted[kind] ?? [];
  if (judgedAs !== undefined && judgedAs !== verdict)
    return `a result that is ${verdict} cannot have the cause "${kind}"`;
  return expectedVerdict !== undefined && answer !== undefined && answer.verdict !== expectedVerdict
    ? `it was ${answer.verdict}, and has the cause "${kind}"`
    : undefined;
}

/** The verdict on a vector and the answer that a cause requires. */
const wanted: Partial<Record<CauseKind, readonly [Result["verdict"], NonNullable<Result["answer"]>["verdict"]]>> = {
  accepted: ["invalid", "accepted"],
  refused: ["valid", "rejected"],
  "other-reason": ["invalid", "rejected"],
};

import type { CauseKind, Outcome, Report, Result } from "../../../schemas/index.ts";
import { commandFromOptions } from "../../results/command-line.ts";

/** Describes an impossible time in a report; `now` is in milliseconds since 1970. The clocks of two machines may differ by some minutes. */
export function findImpossibleTime({ started, durationMs, runs }: Report, now: number): string | undefined {
  const latest = now + 10 * 60_000;
  const starts = [started, ...runs.flatMap((run) => run.started ?? [])];
  const futureStart = starts.find((start) => !(Date.parse(start) <= latest));
  if (futureStart !== undefined) return `it began at ${futureStart}, which is in the future`;
  if (!(Date.parse(started) + durationMs <= latest)) return "it ended at a time in the future";
  // A merged report has the start time of its first part only.
  if (runs.some((run) => run.started !== undefined)) return undefined;
  const tooLong = runs.flatMap(({ results }) => results).find((result) => (result.durationMs ?? 0) > durationMs + 1);
  return tooLong === undefined ? undefined : `${tooLong.id} took longer than the run`;
}

/** Describes a command that does not match the options of its report. The report must be as it was written: reading a report rebuilds its command. The name under which the program was called is not compared. */
export function findImpossibleCommand({ command, options }: Report): string | undefined {
  if (options === undefined || command === "") return undefined;
  const possibleLines = [false, true].map((isConfigured) => commandFromOptions(options, { program: "", isConfigured }));
  return possibleLines.some((line) => command.endsWith(line)) ? undefined : "its command does not match its options";
}

/** The causes that each outcome allows. An outcome that is not listed allows all causes that are not listed. */
const allowedCauses: Partial<Record<Outcome, readonly CauseKind[]>> = {
  violates: ["accepted", "refused", "answer-broken", "expectation"],
  warns: ["accepted", "refused", "answer-broken", "expectation"],
  "wrong-reason": ["other-reason"],
  disputed: ["left-open"],
};
const judgedCauses = new Set(Object.values(allowedCauses).flat());

/** Describes a result with a cause that contradicts its outcome, its verdict or its answer. */
export function findImpossibleCause({ runs }: Report): string | undefined {
  for (const result of runs.flatMap(({ results }) => results)) {
    const contradiction = findWrongCause(result);
    if (contradiction !== undefined) return `${result.id}: ${contradiction}`;
  }
  return undefined;
}

function findWrongCause({
  outcome,
  kind: resultKind,
  verdict,
  why,
  cause,
  answer,
  decidedBy,
}: Result): string | undefined {
  if (decidedBy !== undefined && outcome !== "disputed") return `it is "${outcome}", and decided by readings`;
  if (outcome === "conforms")
    return cause === undefined && why === undefined ? undefined : "it conforms, and has a cause";
  if (cause === undefined || why === undefined) return `it is "${outcome}" without a cause`;
  const { kind } = cause;
  const allowed = allowedCauses[outcome];
  if (allowed === undefined ? judgedCauses.has(kind) : !allowed.includes(kind))
    return `it cannot be "${outcome}" for the cause "${kind}"`;
  if (resultKind !== "vector") return undefined;
  const [requiredVerdict, requiredAnswer] = requirements[kind] ?? [];
  if (requiredVerdict !== undefined && requiredVerdict !== verdict)
    return `a result that is ${verdict} cannot have the cause "${kind}"`;
  return requiredAnswer !== undefined && answer !== undefined && answer.verdict !== requiredAnswer
    ? `it was ${answer.verdict}, and has the cause "${kind}"`
    : undefined;
}

/** The verdict of a vector and the answer that each cause requires. */
const requirements: Partial<Record<CauseKind, readonly [Result["verdict"], NonNullable<Result["answer"]>["verdict"]]>> =
  {
    accepted: ["invalid", "accepted"],
    refused: ["valid", "rejected"],
    "other-reason": ["invalid", "rejected"],
  };

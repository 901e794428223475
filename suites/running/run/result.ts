import {
  type Answer,
  observationIn,
  type Result,
  type TargetAnswer,
  type Unanswered,
  type Vector,
  verdictOf,
} from "../../../schemas/index.ts";
import { messageOf } from "../../results/error-message.ts";
import type { RunCase } from "./case.ts";
import { ItemDeadline } from "./schedule.ts";
import type { CaseVerdict } from "./verdict.ts";

/** Creates the result of a vector. A result that does not conform contains everything that the report needs to explain it. */
export function resultOf({ vector, document }: RunCase, verdict: CaseVerdict): Result {
  const { id, description, rule, site, at, fault } = vector;
  const { outcome, why, cause, answer, stage, breach, decidedBy } = verdict;
  const commonMembers: Omit<Result, "outcome"> = {
    id,
    kind: "vector",
    document: document.name,
    description,
    verdict: verdictOf(vector),
    level: vector.level ?? "MUST",
  };
  if (breach === undefined) {
    if (rule !== undefined) commonMembers.rule = rule;
    if (site !== undefined) commonMembers.site = site;
    if (at !== undefined) commonMembers.at = at;
    if (fault !== undefined) commonMembers.fault = fault;
  } else {
    // The breach does not concern the subject of the vector.
    if (breach.rule !== undefined) commonMembers.rule = breach.rule;
    if (breach.site !== undefined) commonMembers.site = breach.site;
    commonMembers.level = breach.level ?? "MUST";
  }
  const result = commonMembers as Result;
  result.outcome = outcome;
  if (why !== undefined) result.why = why;
  if (cause !== undefined) result.cause = cause;
  if (stage !== undefined) result.stage = stage;
  if (decidedBy !== undefined) result.decidedBy = decidedBy;
  for (const { by, site } of outcome === "disputed" ? (vector.readings ?? []) : [])
    if (site !== undefined) result.difference = { by, site };
  // The missing code of a refusal is reported once for all refusals.
  if (outcome === "conforms" && answer?.codeless !== undefined)
    result.answer = { verdict: answer.verdict, reasons: answer.reasons, codeless: answer.codeless };
  // A refusal because of a limit also matters to the vectors that were made from the message.
  if (outcome === "conforms" || (outcome === "skipped" && answer?.over === undefined)) return result;
  if (answer !== undefined) result.answer = plainAnswer(answer);
  result.vector = shownParts(vector);
  return result;
}

/** Reduces an answer to the members that reports contain. Its exchange is computed only here. */
function plainAnswer({ breach: _, over: _over, speech: _speech, ...answer }: TargetAnswer): Answer {
  return answer;
}

/** Turns the error of a question into an observation. */
export function observationOf(error: unknown): Unanswered {
  const observation = observationIn(error);
  if (observation !== undefined) return observation;
  if (error instanceof ItemDeadline)
    return {
      kind: "unavailable",
      outcome: "timed-out",
      stage: "answer",
      why: error.message,
      cause: { kind: "timed-out" },
    };
  return {
    kind: "unavailable",
    outcome: "errored",
    stage: "answer",
    why: messageOf(error).replaceAll("\n  ", "; "),
    cause: { kind: "no-usable-answer" },
  };
}

function shownParts({ data, raw, base64, change, parent }: Vector): NonNullable<Result["vector"]> {
  return withoutUndefined({ data, raw, base64, change, parent });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(members: T): Defined<T> {
  const keptMembers: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) keptMembers[name] = members[name];
  return keptMembers as Defined<T>;
}

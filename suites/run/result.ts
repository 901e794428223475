import {
  type Answer,
  type Result,
  type TargetAnswer,
  TargetBreach,
  TargetFailure,
  TargetMemory,
  TargetSkip,
  type Vector,
  verdictOf,
} from "../../schemas/index.ts";
import { said } from "../results/said.ts";
import type { Judgement } from "./judge.ts";
import { Deadline } from "./schedule.ts";

type Breach = NonNullable<TargetAnswer["breach"]>;

/** A vector's result. Whatever does not conform carries what the report needs to explain it. */
export function resultOf(vector: Vector, document: string, judgement: Judgement, answer?: TargetAnswer): Result {
  const { id, description, rule, site, at, fault } = vector;
  const { outcome, why, cause } = judgement;
  const about: Omit<Result, "outcome"> = {
    id,
    kind: "vector",
    document,
    description,
    verdict: verdictOf(vector),
    level: vector.level ?? "MUST",
  };
  if (rule !== undefined) about.rule = rule;
  if (site !== undefined) about.site = site;
  if (at !== undefined) about.at = at;
  if (fault !== undefined) about.fault = fault;
  const result = about as Result;
  result.outcome = outcome;
  if (why !== undefined) result.why = why;
  if (cause !== undefined) result.cause = cause;
  for (const { by, site } of outcome === "disputed" ? (vector.readings ?? []) : [])
    if (site !== undefined) result.difference = { by, site };
  // That a refusal has no code is said once for all of them.
  if (outcome === "conforms" && answer?.codeless !== undefined)
    result.answer = { verdict: answer.verdict, reasons: answer.reasons, codeless: answer.codeless };
  // That it was refused for its size matters to what is made from it.
  if (outcome === "conforms" || (outcome === "skipped" && answer?.over === undefined)) return result;
  if (answer !== undefined) result.answer = plain(answer);
  result.vector = shown(vector);
  return result;
}

/** A result that conforms, but for the answer itself, which breaks a rule of its own. */
export function withBreach(result: Result, vector: Vector, answer: TargetAnswer): Result {
  const { breach } = answer;
  if (breach === undefined || result.outcome === "violates") return result;
  // A warning about the answer hides nothing that is wrong with the verdict.
  if (outcomeOf(breach) === "warns" && result.outcome !== "conforms") return result;
  const judged = resultOf(vector, result.document, brokenBy(breach), answer);
  return breached(judged, breach);
}

function brokenBy(breach: Pick<Breach, "level" | "message">): Judgement {
  return { outcome: outcomeOf(breach), why: breach.message, cause: { kind: "answer-broken" } };
}

function outcomeOf({ level = "MUST" }: Pick<Breach, "level">): "violates" | "warns" {
  return level === "MUST" ? "violates" : "warns";
}

/** An answer as reports have it: only here is its exchange put together. */
function plain({ breach: _, over: _over, ...answer }: TargetAnswer): Answer {
  return answer;
}

/** It is no longer about what the vector is. */
function breached(
  { rule: _rule, site: _site, at: _at, fault: _fault, ...result }: Result,
  { rule, site, level = "MUST" }: Omit<Breach, "message">,
): Result {
  return { ...result, ...defined({ rule, site }), level };
}

/** The result of a question that ended without an answer. */
export function resultWithout(vector: Vector, document: string, failure: unknown): Result {
  const verdict = verdictOf(vector);
  if (failure instanceof TargetMemory && verdict !== "invalid")
    return resultOf(
      vector,
      document,
      verdict === "valid"
        ? { outcome: "conforms" }
        : { outcome: "disputed", why: failure.message, cause: { kind: "left-open", by: "memory" } },
    );
  if (failure instanceof TargetBreach) return breached(resultOf(vector, document, brokenBy(failure)), failure);
  if (failure instanceof TargetSkip) {
    const { message: why, because: cause = { kind: "declined" as const } } = failure;
    return resultOf(vector, document, { outcome: "skipped", why, cause });
  }
  const { outcome, stage, message, because } = failure instanceof TargetFailure ? failure : failureIn(failure);
  // Where both answers are fine, so is taking long over it.
  const isOpen = outcome === "timed-out" && verdictOf(vector) === "disputed";
  const judgement: Judgement = isOpen
    ? { outcome: "disputed", why: message, cause: { kind: "left-open", by: "time" } }
    : { outcome, why: message, cause: because };
  return { ...resultOf(vector, document, judgement), stage };
}

/** What was thrown that says nothing of itself as a failure. */
function failureIn(thrown: unknown): Pick<TargetFailure, "outcome" | "stage" | "message" | "because"> {
  if (thrown instanceof Deadline)
    return { outcome: "timed-out", stage: "answer", message: thrown.message, because: { kind: "timed-out" } };
  const message = said(thrown).replaceAll("\n  ", "; ");
  return { outcome: "errored", stage: "answer", message, because: { kind: "no-usable-answer" } };
}

function shown({ data, raw, base64, change, parent }: Vector): NonNullable<Result["vector"]> {
  return defined({ data, raw, base64, change, parent });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(members: T): Defined<T> {
  const kept: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) kept[name] = members[name];
  return kept as Defined<T>;
}

import type { InCommon, Result, Rule, Vector } from "../../../schemas/index.ts";
import { escapeInvisible, truncateMiddle } from "../../base/text/escape.ts";
import { programName } from "../../base/text/program.ts";
import { describeCommonFeatures } from "../../reports/groups/shared-features.ts";
import { describeChange } from "../../reports/wording/change.ts";
import { countNoun } from "../../reports/wording/phrases.ts";

export interface FailedVector {
  result: Result;
  vector: Vector;
}

/** The number of examples, or of reasons, that one error shows. */
const exampleCount = 2;

/** Creates the error for the failures of one rule, or of one assertion at a place in a file. It shows some examples and the number of further ones. */
export function failureOf(failed: readonly FailedVector[], ran: number, rule: Rule | undefined, place?: string): Error {
  const [first] = failed;
  const outcome = first?.result.outcome ?? "errored";
  const hiddenCount = failed.length - exampleCount;
  const subject = rule === undefined ? placeSuffix(place) : ruleSuffix(rule);
  const lines = [
    `${failed.length} of ${countNoun(ran, "vector")} failed${subject}`,
    ...failed.slice(0, exampleCount).flatMap(exampleLines),
    ...(hiddenCount > 0 ? [`  and ${countNoun(hiddenCount, "more vector")}`] : []),
    ...(rule === undefined ? [] : [`  ${programName()} explain ${rule.id}`]),
  ];
  return errorWithoutStack(outcome, lines);
}

function ruleSuffix({ id, level, clause, statement }: Rule): string {
  return `: ${id} ${level}, clause ${clause}: ${statement}`;
}

function placeSuffix(place: string | undefined): string {
  return place === undefined ? "" : `: ${place}`;
}

/** Throws an error if one feature separates the refused valid messages of a document from the accepted ones. */
export function throwIfSeparated(inCommon: InCommon[], results: readonly Result[]): void {
  const [description] = describeCommonFeatures({ inCommon, results });
  if (description === undefined) return;
  throw errorWithoutStack("refused", [description]);
}

/** The error for a run in which every test was skipped. Without it, the run would look like a success. */
export function undecidedError(reasons: readonly string[]): Error {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const mostFrequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, exampleCount);
  const lines = mostFrequent.map(([why, count]) => `  ${countNoun(count, "test")}: ${why}`);
  return errorWithoutStack("undecided", ["nothing was decided: every test was skipped", ...lines]);
}

/**
 * Creates an error with an empty stack, so that Vitest shows only its message. Vitest 3 parses each line of a stack with a regular expression, in
 * time proportional to the fourth power of the line's length.
 */
export function errorWithoutStack(name: string, lines: readonly string[]): Error {
  const error = new Error(lines.join("\n"));
  error.name = name;
  error.stack = "";
  return error;
}

/** The first example in full, the others briefly. */
function exampleLines({ result, vector }: FailedVector, index: number): string[] {
  const { id, description, verdict, at, outcome, stage, why = "" } = result;
  if (index > 0) return [`  ${id}`, `    about     ${description}`];
  const { data, raw, base64 = "" } = vector;
  const instance = data === undefined ? (raw ?? base64) : JSON.stringify(data);
  return [
    `  ${id}`,
    `    ${why || outcome}${stage === undefined ? "" : ` (${stage})`}`,
    `    about     ${description}`,
    ...(at === undefined ? [] : [`    at        ${at === "" ? "the whole" : at}`]),
    `    expected  ${verdict === "valid" ? "accepted" : "refused"}`,
    ...(vector.change === undefined ? [] : [`    change    ${describeChange(vector.change)}`]),
    `    instance  ${escapeInvisible(truncateMiddle(instance, 1000))}`,
  ];
}

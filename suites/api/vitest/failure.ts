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

/** The number of examples that are shown of failures with one reason. */
const examples = 2;

/** Describes the failures of one rule, or of one assertion at a place in a file, with examples and the number of the rest. */
export function failureOf(failed: readonly FailedVector[], ran: number, rule: Rule | undefined, place?: string): Error {
  const [first] = failed;
  const outcome = first?.result.outcome ?? "errored";
  const more = failed.length - examples;
  const lines = [
    `${failed.length} of ${countNoun(ran, "vector")} failed${rule === undefined ? (place === undefined ? "" : `: ${place}`) : `: ${rule.id} ${rule.level}, clause ${rule.clause}: ${rule.statement}`}`,
    ...failed.slice(0, examples).flatMap(exampleLines),
    ...(more > 0 ? [`  and ${countNoun(more, "more vector")}`] : []),
    ...(rule === undefined ? [] : [`  ${programName()} explain ${rule.id}`]),
  ];
  return errorWithoutStack(outcome, lines);
}

/** Throws the feature that alone separates the refused valid messages from the accepted ones, if there is one: it made tests of the same document fail. */
export function throwIfSeparated(inCommon: InCommon[], results: readonly Result[]): void {
  const [said] = describeCommonFeatures({ inCommon, results });
  if (said === undefined) return;
  throw errorWithoutStack("refused", [said]);
}

/** The error for a target that could be tested on nothing: skipped tests alone would look like a conforming target. */
export function undecidedError(whys: readonly string[]): Error {
  const counts = new Map<string, number>();
  for (const why of whys) counts.set(why, (counts.get(why) ?? 0) + 1);
  const shown = [...counts].sort(([, a], [, b]) => b - a).slice(0, examples);
  const lines = shown.map(([why, count]) => `  ${countNoun(count, "test")}: ${why}`);
  return errorWithoutStack("undecided", ["nothing was decided: every test was skipped", ...lines]);
}

/** An error without a stack: Vitest searches each of its lines for places, and Vitest 3 does so with an expression of a complexity that grows with the fourth power of a line's length. It shows only the message. */
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

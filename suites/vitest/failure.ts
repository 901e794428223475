import type { Result, Vector } from "../../schemas/index.ts";
import { program } from "../text/program.ts";
import { show } from "../text/show.ts";

/** A failure in words: what was asked, what was wanted, what came. It points at no place in our code, where there is nothing to see. */
export function failureOf(result: Result, vector: Vector): Error {
  const { id, description, verdict, rule, at, outcome, stage, why = "" } = result;
  const instance = vector.data ?? vector.raw ?? vector.base64;
  const lines = [
    `${why || outcome}${stage === undefined ? "" : ` (${stage})`}`,
    `  vector    ${id}`,
    `  about     ${description}`,
    ...(rule === undefined ? [] : [`  rule      ${rule}: ${program()} explain ${rule}`]),
    ...(at === undefined ? [] : [`  at        ${at === "" ? "the whole" : at}`]),
    `  expected  ${verdict === "valid" ? "accepted" : "refused"}`,
    ...(vector.change === undefined ? [] : [`  change    ${show(vector.change)}`]),
    `  instance  ${show(instance)}`,
  ];
  const error = new Error(lines.join("\n"));
  error.name = outcome;
  error.stack = `${outcome}: ${error.message}`;
  return error;
}

import { type Vector, verdictOf } from "../../../schemas/index.ts";
import { truncateMiddle } from "../../base/text/escape.ts";
import { chooseTwo } from "../../results/example-order.ts";
import { describeChange } from "../wording/change.ts";
import { countNoun } from "../wording/phrases.ts";

/** The expected answer to a vector, by its verdict and level. */
export function expectedOf(vector: Vector): string {
  const verdict = verdictOf(vector);
  const isOnlyAdvice = verdict === "invalid" && vector.level !== undefined && vector.level !== "MUST";
  if (isOnlyAdvice) return "refused, or accepted with a warning; accepting it without one only gives a warning";
  return { valid: "accepted", invalid: "refused", disputed: "either answer is fine" }[verdict];
}

/** Shows the simplest vector, another one with a different feature, and the number of the remaining ones. */
export function examplesOf(vectors: readonly Vector[]): string[] {
  const examplePair = chooseTwo(vectors);
  const remaining = vectors.length - examplePair.length;
  return [
    ...examplePair.flatMap((vector) => ["", ...exampleLines(vector)]),
    ...(remaining === 0 ? [] : [`  and ${countNoun(remaining, `more ${verdictOf(examplePair[0] as Vector)} vector`)}`]),
  ];
}

/** The text of a message, cut to a readable length. */
export function showText(raw: string): string {
  return raw === "" ? "(empty)" : truncateMiddle(raw, 400);
}

/** A short description of a vector: its name, its feature, and how it was made. */
export function exampleLines({ id, description, change, raw, ...vector }: Vector): string[] {
  return [
    `  ${id}`,
    `    ${description}`,
    ...(change === undefined ? [] : [`    change    ${describeChange(change)}`]),
    ...(raw === undefined ? [] : [`    text      ${showText(raw)}`]),
    `    expected  ${expectedOf({ id, description, ...vector })}`,
  ];
}

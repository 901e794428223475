import { type Vector, verdictOf } from "../../schemas/index.ts";
import { changeInWords } from "../reports/change.ts";
import { cutWithin } from "../text/escape.ts";

/** What is expected of a vector, by its verdict and level. */
export function expectedOf(vector: Vector): string {
  const verdict = verdictOf(vector);
  const isMild = verdict === "invalid" && vector.level !== undefined && vector.level !== "MUST";
  if (isMild) return "refused, or accepted with a warning; who accepts it without one is warned, and no more";
  return { valid: "accepted", invalid: "refused", disputed: "either answer is fine" }[verdict];
}

/** A vector in short: its name, what is special, and how it was made. */
export function exampleLines({ id, description, change, raw, ...vector }: Vector): string[] {
  return [
    `  ${id}`,
    `    ${description}`,
    ...(change === undefined ? [] : [`    change    ${changeInWords(change)}`]),
    ...(raw === undefined ? [] : [`    text      ${cutWithin(raw, 400)}`]),
    `    expected  ${expectedOf({ id, description, ...vector })}`,
  ];
}

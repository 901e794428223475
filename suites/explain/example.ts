import { type Vector, verdictOf } from "../../schemas/index.ts";
import { changeInWords } from "../reports/change.ts";
import { cutWithin } from "../text/escape.ts";

/** What is expected of a vector, by its verdict. */
export const expected = { valid: "accepted", invalid: "refused", disputed: "either answer is fine" };

/** A vector in short: its name, what is special, and how it was made. */
export function exampleLines({ id, description, change, raw, ...vector }: Vector): string[] {
  return [
    `  ${id}`,
    `    ${description}`,
    ...(change === undefined ? [] : [`    change    ${changeInWords(change)}`]),
    ...(raw === undefined ? [] : [`    text      ${cutWithin(raw, 400)}`]),
    `    expected  ${expected[verdictOf({ id, description, ...vector })]}`,
  ];
}

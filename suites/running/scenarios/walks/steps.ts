import { TouchstoneError } from "../../../../schemas/index.ts";
import type { WalkModel } from "./model.ts";

/** Reads steps that are separated by semicolons. Throws a usage error for a part that is not a step. */
export function stepsOf<Step>(
  { stepIn, example }: Pick<WalkModel<never, Step>, "stepIn" | "example">,
  text: string,
): Step[] {
  return text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const step = stepIn(part);
      if (step !== undefined) return step;
      throw new TouchstoneError("usage", `"${part}" is not a step of a walk`, { hint: `steps look like: ${example}` });
    });
}

/** Parses a number from 0 to 999; undefined for any other text. */
export function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/** Returns the text if it is one of these words; otherwise undefined. */
export function oneOf<Word extends string>(words: readonly Word[], text: string | undefined): Word | undefined {
  return words.find((word) => word === text);
}

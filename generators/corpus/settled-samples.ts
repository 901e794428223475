import type { Change, Json } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { addSteps } from "../keywords/decimal.ts";
import { isMultiple } from "../keywords/multiple-of.ts";
import type { Model } from "../model/model.ts";

/** A number of a sample that another number replaces. */
export interface ReplacedNumber {
  /** JSON Pointer within the sample. */
  at: string;
  value: number;
  /** The replacement: the nearest number on which validators agree. */
  replacement: number;
  multipleOf: number;
}

/** The maximum number of steps of the search for a number on which validators agree. */
const maxSteps = 64;

/**
 * Replaces numbers on which exact arithmetic and validators disagree, such as 19.99 as a multiple of 0.01. A vector with such a number would have no certain
 * verdict. A sample that is valid, or that stays invalid, is returned unchanged.
 */
export function settleSample(model: Model, sample: Json): { sample: Json; replaced: ReplacedNumber[] } {
  const replaced = new Map<string, ReplacedNumber>();
  const isAlreadyValid = isValid(model, sample, {
    observe: (keyword, at, value) => {
      if (keyword.kind !== "multipleOf" || typeof value !== "number" || replaced.has(at)) return;
      const replacement =
        isMultiple(value, keyword.limit) === undefined ? nearestMultiple(value, keyword.limit) : undefined;
      if (replacement !== undefined) replaced.set(at, { at, value, replacement, multipleOf: keyword.limit });
    },
  });
  if (isAlreadyValid) return { sample, replaced: [] };
  const change = [...replaced.values()].map(
    ({ at, replacement }): Change => ({ op: "replace", path: at, value: replacement }),
  );
  const settled = applyChanges(sample, change);
  if (settled === undefined || !isValid(model, settled)) return { sample, replaced: [] };
  return { sample: settled, replaced: [...replaced.values()] };
}

function nearestMultiple(value: number, step: number): number | undefined {
  for (let steps = 1; steps <= maxSteps; steps += 1)
    for (const times of [-steps, steps]) {
      const candidate = addSteps(value, times, step);
      if (isMultiple(candidate, step) === true && Math.sign(candidate) === Math.sign(value)) return candidate;
    }
  return undefined;
}
